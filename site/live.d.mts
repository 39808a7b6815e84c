export declare function buildLive(repository: string, pages: string, home: string): void;
/** An example whose addresses of the package and of data lead to folders beside it. */
export declare function withFolders(page: string, packageFolder: string, examples: string): string;
