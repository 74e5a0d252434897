export interface DroppedFile {
  /** Below a dropped folder with the folders' names. */
  readonly name: string;
  readonly file: File;
}

/** A dropped folder may be anything: whoever means a whole disk uses the command line. */
const MOST_FILES = 5000;

/** The files that were dropped, those of dropped folders too; hidden ones are left out. */
export async function droppedFiles(transfer: DataTransfer): Promise<readonly DroppedFile[]> {
  const entries = [...transfer.items]
    .map((item) => item.webkitGetAsEntry?.() ?? null)
    .filter((entry) => entry !== null);
  if (entries.length === 0) return [...transfer.files].map((file) => ({ name: file.name, file }));
  const found: DroppedFile[] = [];
  for (const entry of entries) await collect(entry, '', found);
  return found;
}

async function collect(entry: FileSystemEntry, above: string, found: DroppedFile[]): Promise<void> {
  if (found.length >= MOST_FILES || entry.name.startsWith('.')) return;
  const name = above + entry.name;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    found.push({ name, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const one of some) await collect(one, `${name}/`, found);
  }
}
