import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { ConfigFile } from '../schema/schema.ts';
import type { ReferenceIssue } from './reference-issue.ts';

type Redis = ConfigFile['redis'];

const OF_SENTINELS = ['sentinel_name', 'sentinel_username', 'sentinel_password', 'sentinel_tls'] as const;

/** Finds fields of `redis` that contradict each other, and certificates that cannot be used. */
export function checkRedis({ redis }: Pick<ConfigFile, 'redis'>): ReferenceIssue[] {
  return [checkSentinels, checkCluster, checkSignIn, checkIdentity, checkTls, checkShards].flatMap((check) =>
    check(redis),
  );
}

function checkSentinels(redis: Redis): ReferenceIssue[] {
  if (!redis.sentinels) {
    return OF_SENTINELS.filter((field) => redis[field] !== undefined).map((field) =>
      issue(field, 'needs `redis.sentinels`', 'add the addresses of the Sentinels, or remove it'),
    );
  }
  const issues: ReferenceIssue[] = [];
  if (redis.sentinel_name === undefined) {
    issues.push(issue('sentinels', 'needs `redis.sentinel_name`', 'add the name of the primary'));
  }
  if (redis.url !== 'embedded') {
    issues.push(issue('url', 'cannot be used together with `redis.sentinels`', 'remove one of them'));
  }
  if (redis.sentinel_username !== undefined && redis.sentinel_password === undefined) {
    issues.push(issue('sentinel_username', 'needs `redis.sentinel_password`', 'add the password'));
  }
  if (redis.sentinel_tls === true && !redis.tls) {
    issues.push(issue('sentinel_tls', 'needs `redis.tls`', 'add the section, e.g. with `ca`'));
  }
  return issues;
}

function checkCluster({ cluster, sentinels, url }: Redis): ReferenceIssue[] {
  if (!cluster) return [];
  const others = [...(sentinels ? ['sentinels'] : []), ...(url === 'embedded' ? [] : ['url'])];
  return others.map((other) => issue(other, 'cannot be used together with `redis.cluster`', 'remove one of them'));
}

function checkIdentity(redis: Redis): ReferenceIssue[] {
  const { identity, username, password, sentinels, cluster, tls, url } = redis;
  if (!identity) return [];
  const issues: ReferenceIssue[] = [];
  if (password !== undefined || URL.parse(url)?.password) {
    issues.push(issue('identity', 'replaces the password', 'remove the password'));
  }
  if (sentinels) {
    issues.push(issue('identity', 'cannot be used together with `redis.sentinels`', 'remove one of them'));
  } else if (cluster ? !tls : !url.startsWith('rediss:')) {
    const remedy = cluster ? 'add the section `redis.tls`' : 'begin `redis.url` with rediss://';
    issues.push(issue('identity', 'needs TLS, because the token is sent to the server', remedy));
  }
  if (identity.type === 'aws-elasticache' && username === undefined) {
    issues.push(issue('identity', 'needs `redis.username`', 'add the id of the user of ElastiCache'));
  }
  return issues;
}

function checkSignIn(redis: Redis): ReferenceIssue[] {
  const issues: ReferenceIssue[] = [];
  if (redis.username !== undefined && redis.password === undefined && !redis.identity) {
    issues.push(issue('username', 'needs `redis.password`', 'add the password'));
  }
  const field = redis.username === undefined ? 'password' : 'username';
  if (redis[field] === undefined || redis.sentinels || redis.cluster) return issues;
  const { username = '', password = '' } = URL.parse(redis.url) ?? {};
  if (redis.url === 'embedded') {
    issues.push(issue(field, 'is for your own Redis, but `redis.url` is `embedded`', 'set `redis.url`, or remove it'));
  } else if (username !== '' || password !== '') {
    issues.push(issue(field, 'is also in `redis.url`', 'remove the user and the password from the URL'));
  }
  return issues;
}

function checkTls({ url, tls, sentinels, cluster }: Redis): ReferenceIssue[] {
  if (!tls) return [];
  const issues: ReferenceIssue[] = [];
  if (!sentinels && !cluster && !url.startsWith('rediss:')) {
    issues.push(issue('tls', 'needs a `rediss://` URL', 'begin `redis.url` with rediss://, or remove the section'));
  }
  const authority = parsed(() => tls.ca !== undefined && new X509Certificate(tls.ca));
  if (authority === undefined) issues.push(tlsIssue('ca', 'is not a valid certificate', 'write the certificate again'));
  if ((tls.cert === undefined) !== (tls.key === undefined)) {
    const [present, absent] = tls.cert === undefined ? (['key', 'cert'] as const) : (['cert', 'key'] as const);
    issues.push(tlsIssue(present, `needs \`redis.tls.${absent}\``, 'add it, or remove this one'));
    return issues;
  }
  if (tls.cert === undefined || tls.key === undefined) return issues;
  const { cert, key } = { cert: tls.cert, key: tls.key };
  const certificate = parsed(() => new X509Certificate(cert));
  const privateKey = parsed(() => createPrivateKey(key));
  if (!certificate) issues.push(tlsIssue('cert', 'is not a valid certificate', 'write the certificate again'));
  if (!privateKey) issues.push(tlsIssue('key', 'is not a private key without a passphrase', 'decrypt it first'));
  if (certificate && privateKey && !certificate.checkPrivateKey(privateKey)) {
    issues.push(tlsIssue('key', 'does not belong to `redis.tls.cert`', 'name the key of this certificate'));
  }
  return issues;
}

function checkShards({ url, prefix, sentinels, sentinel_name, cluster, shards = [] }: Redis): ReferenceIssue[] {
  const home = sentinels ? sentinel_name : cluster ? prefix : url;
  return shards.flatMap((shard, index): ReferenceIssue[] => {
    const path = ['redis', 'shards', index];
    if (sentinels && shard.includes('://')) {
      return [{ path, wrong: 'must be the name of a primary', remedy: 'write a name that the Sentinels know' }];
    }
    if (cluster && !/^[A-Za-z0-9_-]+$/.test(shard)) {
      return [{ path, wrong: 'must be a prefix of letters, digits, `_`, and `-`', remedy: 'change it' }];
    }
    if (!sentinels && !cluster && !/^(?:rediss?:\/\/|unix:\/\/\/)./.test(shard)) {
      return [{ path, wrong: 'must be a redis://, rediss:// or unix:// URL', remedy: 'change it' }];
    }
    if (shard === home || shards.indexOf(shard) < index) {
      return [{ path, wrong: 'is in the list twice, or is the home', remedy: 'remove it' }];
    }
    return [];
  });
}

/** Returns undefined for an invalid text. */
function parsed<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function issue(field: string, wrong: string, remedy: string): ReferenceIssue {
  return { path: ['redis', field], wrong, remedy };
}

function tlsIssue(field: string, wrong: string, remedy: string): ReferenceIssue {
  return { path: ['redis', 'tls', field], wrong, remedy };
}
