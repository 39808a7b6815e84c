export declare function slug(heading: string): string;
