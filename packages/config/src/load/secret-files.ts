import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** Contents of a file that the configuration refers to, or why it cannot be read. */
type SecretFile = { text: string } | { wrong: string; remedy: string };

/** By the path in the reference. */
export type SecretFiles = ReadonlyMap<string, SecretFile>;

export interface SecretFileOptions {
  /** Base folder of relative paths. */
  cwd: string;
  /** The only folders from which files are read. Undefined: all folders. */
  dirs?: readonly string[] | undefined;
}

/** A reference to a file: `${file:/run/secrets/name}`. */
const FILE_REFERENCE = /(?<!\$)\$\{file:([^}]+)\}/g;
const MAX_BYTES = 64 * 1024;

/** Reads all files that a value refers to. Without the final line break, which editors add. */
export async function readSecretFiles(value: unknown, options: SecretFileOptions): Promise<SecretFiles> {
  const names = new Set<string>();
  collect(value, names, new Set());
  const read = async (name: string): Promise<[string, SecretFile]> => [name, await readSecretFile(name, options)];
  return new Map(await Promise.all([...names].map(read)));
}

function collect(value: unknown, names: Set<string>, seen: Set<object>): void {
  if (typeof value === 'string') {
    for (const [, name] of value.matchAll(FILE_REFERENCE)) if (name !== undefined) names.add(name);
  } else if (typeof value === 'object' && value !== null && !seen.has(value)) {
    seen.add(value);
    for (const item of Object.values(value)) collect(item, names, seen);
  }
}

/** Reads one file. The error does not show whether a file outside of the folders exists. */
export async function readSecretFile(name: string, { cwd, dirs }: SecretFileOptions): Promise<SecretFile> {
  const file = path.resolve(cwd, name);
  try {
    // Checked before anything else, so that the error does not show whether another file exists.
    if (dirs && !isInside(file, dirs, cwd)) return outside(file);
    // Kubernetes mounts secrets as symbolic links within the folder.
    const real = await realpath(file);
    const realDirs = dirs && (await Promise.all(dirs.map((dir) => realpath(path.resolve(cwd, dir)).catch(() => dir))));
    if (realDirs && !isInside(real, realDirs, cwd)) return outside(file);
    const found = await stat(real);
    if (!found.isFile()) return { wrong: `${file} is not a file`, remedy: 'name a file' };
    if (found.size > MAX_BYTES) return { wrong: `${file} exceeds ${MAX_BYTES} bytes`, remedy: 'name another file' };
    const text = (await readFile(real, 'utf8')).replace(/\r?\n$/, '');
    return text === '' ? { wrong: `${file} is empty`, remedy: 'write the secret into it' } : { text };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'ENOENT') return { wrong: `${file} does not exist`, remedy: 'create it, or correct the path' };
    return { wrong: `${file} cannot be read (${code})`, remedy: 'make it readable' };
  }
}

function isInside(file: string, dirs: readonly string[], cwd: string): boolean {
  return dirs.some((dir) => {
    const relative = path.relative(path.resolve(cwd, dir), file);
    return relative !== '' && !relative.startsWith('..') && !path.isAbsolute(relative);
  });
}

function outside(file: string): SecretFile {
  const remedy = 'move it into one of them, or add its folder to the file of this process';
  return { wrong: `${file} is not in a folder of \`config.secret_dirs\``, remedy };
}
