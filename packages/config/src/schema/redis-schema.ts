import { z } from 'zod';
import { flag, optionalText, section } from './field-types.ts';

const MAX_REPLICAS = 16;
/** An id has one base-32 digit for its shard, and the home is one of them. */
const MAX_SHARDS = 31;

const ADDRESS = /^(?:[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]):[1-9][0-9]{0,4}$/;

const pem = (label: RegExp, what: string) =>
  z
    .string()
    .regex(new RegExp(`-----BEGIN ${label.source}-----`), `must be ${what} in PEM format, or the path of its file`)
    .optional();

const TlsSchema = z.strictObject({
  ca: pem(/CERTIFICATE/, 'a certificate').describe(
    'The certificates that sign the server, in PEM format, or the path of their file. If omitted, the public authorities that Node trusts.',
  ),
  cert: pem(/CERTIFICATE/, 'a certificate').describe(
    'The client certificate, with its chain, in PEM format, or the path of its file.',
  ),
  key: pem(/[A-Z ]*PRIVATE KEY/, 'a private key').describe(
    'The private key of the client certificate, in PEM format, or the path of its file.',
  ),
  server_name: optionalText().describe(
    'The name in the certificate of the server, if it is not the host that Sluice connects to.',
  ),
});

/** How to sign in with a token of a cloud in place of a password. The `type` begins with the name of the cloud. */
const RedisIdentitySchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('aws-elasticache'),
    cache: z.string().min(1).describe('The name of the cache, or the id of the replication group.'),
    region: z
      .string()
      .regex(/^[a-z]{2}[a-z-]*-\d+$/, 'must be a region such as `us-east-1`')
      .describe('The region of the cache.'),
    serverless: flag().describe('Whether the cache is serverless.'),
  }),
  z.strictObject({ type: z.literal('google-memorystore') }),
]);

export type RedisIdentity = z.output<typeof RedisIdentitySchema>;

const address = () => z.string().regex(ADDRESS, 'must be an address such as `redis-1.example:6379`');

export const RedisSchema = section({
  url: z
    .string()
    .regex(/^(?:embedded$|rediss?:\/\/|unix:\/\/)/, 'must be `embedded` or a redis://, rediss:// or unix:// URL')
    .default('embedded')
    .describe(
      '`embedded` for a private server that starts and stops with Sluice, or a `redis://`, `rediss://` or `unix://` URL.',
    ),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]+$/, 'may contain only letters, digits, `_`, and `-`')
    .default('sluice')
    .describe(
      'The prefix of every Redis key. It is also the hash tag, so all keys of one gateway are in one cluster slot.',
    ),
  username: optionalText().describe('The ACL user. If omitted, the user in the URL, or the default user.'),
  password: optionalText().describe('The password of the user. If omitted, the password in the URL.'),
  identity: RedisIdentitySchema.optional().describe(
    'A token of a cloud in place of a password. Sluice renews it, and signs its connections in again. See [identities](redis.md#identities).',
  ),
  tls: TlsSchema.optional(),
  cluster: z
    .array(address())
    .min(1, 'must have at least one address')
    .optional()
    .describe(
      'The addresses (`host:port`) of some nodes of a Redis Cluster. They name the others, so omit `redis.url`. With `redis.tls`, Sluice connects with TLS.',
    ),
  sentinels: z
    .array(z.string().regex(ADDRESS, 'must be an address such as `sentinel-1.example:26379`'))
    .min(1, 'must have at least one address')
    .optional()
    .describe('The addresses (`host:port`) of the Sentinels. They name the primary, so omit `redis.url`.'),
  sentinel_name: optionalText().describe('The name of the primary in the configuration of the Sentinels.'),
  sentinel_username: optionalText().describe('The ACL user of the Sentinels.'),
  sentinel_password: optionalText().describe('The password of the Sentinels.'),
  sentinel_tls: z
    .boolean()
    .optional()
    .describe('Whether the Sentinels use TLS as well. If omitted, they do so if `redis.tls` is set.'),
  shards: z
    .array(z.string().min(1))
    .min(1, 'must have at least one server')
    .max(MAX_SHARDS)
    .optional()
    .describe(
      'More servers for tasks: URLs like `redis.url`, with Sentinels the names of primaries, and with a cluster more prefixes. Add new ones at the end, and never remove or reorder them.',
    ),
  replicas: z
    .int()
    .min(0)
    .max(MAX_REPLICAS)
    .default(0)
    .describe(
      'The number of replicas that must have a task before Sluice accepts, submits, or cancels it. Set it to the number of replicas that a failover can promote.',
    ),
});
