interface Folders {
  readonly wazarr: string;
  readonly packages?: string;
  readonly examples: string;
}
export function withFolders(page: string, folders: Folders): string;
export function buildLive(repository: string, at: string): Promise<void>;
