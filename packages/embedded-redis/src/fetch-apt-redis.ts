import { type AptFailure, type AptFetchOptions, fetchAptPackages } from './fetch-apt-packages.ts';
import { findUnpackedServer, readServerVersion, type UnpackedServer } from './probe-redis-server.ts';
import { isSupportedRedis } from './redis-server.ts';

interface FetchedRedis {
  server: UnpackedServer;
  version: string;
}

const LIBRARIES = ['libjemalloc2', 'liblzf1', 'libatomic1'];

/** Fetches a private copy of Redis or Valkey with apt. */
export function fetchAptRedis(options: AptFetchOptions): Promise<FetchedRedis | AptFailure> {
  return fetchAptPackages(options, {
    sets: ['redis', 'valkey'].map((name) => ({
      install: `${name}-server`,
      closure: [`${name}-server`, `${name}-tools`, ...LIBRARIES],
    })),
    fetchedAnyway: /^(?:redis|valkey)(?:-server|-tools)?$/,
    check: checkRedis,
  });
}

async function checkRedis(root: string): Promise<FetchedRedis | AptFailure> {
  const server = await findUnpackedServer(root);
  if (!server) return { failure: 'the packages contain no server' };
  const version = await readServerVersion(server.program, server.libraryPath);
  if (!version) return { failure: 'the downloaded server does not run here' };
  return isSupportedRedis(version) ? { server, version } : { failure: `only Redis ${version} is available` };
}
