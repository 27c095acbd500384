import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, isEmbeddedRedis, prepareDataFolder } from '@sluice/config';
import { checkDataFolderLock } from '@sluice/embedded-redis';
import { listenError } from '@sluice/lifecycle';

/** The API of a killed `sluice start` closes its port within this time. */
const PORT_RELEASE_MS = 2_000;
const POLL_MS = 50;

/**
 * Finds problems that would fail a later step of the start: a data folder that is not writable or is used by another
 * gateway, or an API port that is in use.
 * @throws {DataFolderError | DataFolderLockedError | Error} with a message that explains how to solve the problem
 */
export async function checkStart(config: Config): Promise<void> {
  const { dataDir, server } = config;
  await prepareDataFolder(dataDir);
  if (isEmbeddedRedis(config)) await checkDataFolderLock(dataDir);
  const deadline = performance.now() + PORT_RELEASE_MS;
  for (;;) {
    const error = await tryListen(server.host, server.port);
    if (error === undefined) return;
    const isInUse = 'code' in error && error.code === 'EADDRINUSE';
    if (!isInUse || performance.now() > deadline) throw listenError(error, server);
    await sleep(POLL_MS);
  }
}

function tryListen(host: string, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}
