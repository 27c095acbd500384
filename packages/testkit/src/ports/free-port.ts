import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** The range is below the ephemeral ports, which start at 32768 on Linux and at 49152 on macOS and Windows. */
const RANGE = { from: 12_000, to: 32_000 };
/** One file per reserved port, named like the port. The content is the id of the process that reserved it. */
const RESERVATIONS = path.join(tmpdir(), 'sluice-test-ports');
/** Files of the ports that this process reserved. */
const reserved = new Set<string>();

/**
 * Finds a free port of 127.0.0.1 and reserves it until this process ends, so that no parallel test gets the same port
 * before the program of this test listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(RANGE.from, RANGE.to);
    if (reserve(port) && (await canListen(port))) return port;
  }
}

function reserve(port: number): boolean {
  const file = path.join(RESERVATIONS, String(port));
  mkdirSync(RESERVATIONS, { recursive: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch {
    if (!isAbandoned(file)) return false;
    writeFileSync(file, String(process.pid));
  }
  if (reserved.size === 0) process.once('exit', releaseAll);
  reserved.add(file);
  return true;
}

function releaseAll(): void {
  for (const file of reserved) rmSync(file, { force: true });
}

/** Whether the process that reserved the port was killed before it removed the file. */
function isAbandoned(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, 'utf8')), 0);
    return false;
  } catch {
    return true;
  }
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
