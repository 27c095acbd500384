import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { prepareDataFolder } from './prepare-data-folder.ts';

export interface SecretSource {
  configured: string | undefined;
  dataDir: string;
}

const FILE = 'secret';
const BYTES = 32;
const MIN_CHARACTERS = 16;

/**
 * Returns the secret that encrypts opaque tokens: the configured secret or, without one, a secret in the data folder
 * that only its owner can read. The stored secret is created on first use. Processes that start at the same time share
 * it. Processes on several machines need a configured secret.
 * @throws {DataFolderError} if the data folder is not writable
 */
export async function gatewaySecret({ configured, dataDir }: SecretSource): Promise<string> {
  if (configured !== undefined) return configured;
  const file = path.join(dataDir, FILE);
  const stored = await readSecret(file);
  if (stored !== undefined) return stored;
  await prepareDataFolder(dataDir);
  await createSecret(dataDir, file);
  const created = await readSecret(file);
  if (created === undefined) throw new Error(`${file} was removed while it was created.`);
  return created;
}

/** Writes a temporary file and then links it. Readers see only a complete file, and the first writer wins. */
async function createSecret(dataDir: string, file: string): Promise<void> {
  const partial = path.join(dataDir, `${FILE}-${randomUUID()}`);
  try {
    const handle = await open(partial, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(BYTES).toString('base64url')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await link(partial, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(partial, { force: true });
  }
}

async function readSecret(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  const secret = text?.trim();
  if (secret !== undefined && secret.length < MIN_CHARACTERS) {
    throw new Error(
      `${file} must contain a secret of at least ${MIN_CHARACTERS} characters. Remove the file to generate a new one.`,
    );
  }
  return secret;
}
