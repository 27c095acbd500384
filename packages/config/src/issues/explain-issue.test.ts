import { describe, expect, it } from 'vitest';
import { formatPath } from './config-error.ts';
import { explainIssue } from './explain-issue.ts';
import { valueAt } from '../load/parse-settings.ts';
import { ConfigSchema } from '../schema/schema.ts';

function explain(value: unknown): string[] {
  const issues = ConfigSchema.safeParse(value).error?.issues ?? [];
  return issues
    .flatMap((issue) => explainIssue(issue, (path) => valueAt(value, path)))
    .map(({ path, part, wrong, remedy }) => `${formatPath(path)} (${part}): ${wrong}; ${remedy}`);
}

describe('explainIssue', () => {
  it.each([
    [{ server: { hots: 1 } }, 'server.hots (key): is not a known field; did you mean `host`?'],
    [
      { upstreams: { a: { kind: 'videos', base_url: 'http://a', zzzzz: 1 } } },
      'upstreams.a.zzzzz (key): is not a known field; write one of: kind, base_url, api_key, access_key, secret_key, identity, credentials, headers, quirks, completions, vendor_batches, region, output_uri, batch_role_arn, s3_endpoint, max_in_flight, max_submitting',
    ],
    [{ keys: [{ key: 'aaaaaaaa' }] }, 'keys[0].name (value): is required; add `name` here'],
    [
      { keys: [{ name: '', key: 'aaaaaaaa' }] },
      'keys[0].name (value): must not be empty; write a value or remove the field',
    ],
    [{ keys: [{ name: 1, key: 'aaaaaaaa' }] }, 'keys[0].name (value): must be text, not a number; put it in quotes'],
    [{ keys: {} }, 'keys (value): must be a list, not a section of fields; write a list'],
    [{ log: [] }, 'log (value): must be a section of fields, not a list; write a section of fields'],
    [{ log: { level: 'inof' } }, 'log.level (value): `inof` is not a known value; did you mean `info`?'],
    [{ tasks: { lock_ms: 1.5 } }, 'tasks.lock_ms (value): must be an integer, not a fraction; write an integer'],
    [
      { keys: [{ name: 'a', key: 'aaaaaaaa', budget: { usd: 0 } }] },
      'keys[0].budget.usd (value): must be more than 0; change it',
    ],
    [{ tasks: { lock_ms: 0 } }, 'tasks.lock_ms (value): must be at least 1; change it'],
    [{ server: { port: 70_000 } }, 'server.port (value): must be at most 65535; change it'],
    [{ models: [{ id: 'm', routes: [] }] }, 'models[0].routes (value): must have at least 1 item; change it'],
    [
      { upstreams: { 'a b': {} } },
      'upstreams.a b (key): the name may contain only letters, digits, `_`, and `-`; choose another name',
    ],
    [
      { download: { allow: ['ftp://x'] } },
      'download.allow[0] (value): must be an http:// or https:// URL; write it as https://host/path',
    ],
    [{ sandbox: { enabled: 'yes' } }, 'sandbox.enabled (value): must be true or false, not text; write true or false'],
    [
      { redis: { url: 'http://x' } },
      'redis.url (value): must be `embedded` or a redis://, rediss:// or unix:// URL; change it',
    ],
    [
      { redis: { identity: { type: 'aws' } } },
      'redis.identity.type (value): `aws` is not a known value; write one of: aws-elasticache, google-memorystore',
    ],
  ])('explains %j: %s', (value, expected) => {
    expect(explain(value)).toEqual([expected]);
  });

  it('shows no value that may be a secret', () => {
    const value = { keys: [{ name: 'a', key: 'hunter2' }], redis: { url: 'hunter2' }, log: { level: ['hunter2'] } };
    expect(explain(value)).toHaveLength(3);
    expect(explain({ keys: value.keys, redis: value.redis }).join('')).not.toContain('hunter2');
  });
});
