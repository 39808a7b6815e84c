export function buildFirst(repository: string, at: string): void;
