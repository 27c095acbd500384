import { describe, expect, it } from 'vitest';
import { checkCredentials } from './check-credentials.ts';
import { formatPath } from '../issues/config-error.ts';
import { KINDS, UPSTREAM_KINDS } from '../schema/kinds.ts';
import { ConfigSchema } from '../schema/schema.ts';

const key = { api_key: 'k' };
const pair = { access_key: 'a', secret_key: 's' };

function check(kind: string, credential: object, unset: string[] = []): string[] {
  const config = ConfigSchema.parse({ upstreams: { acme: { kind, base_url: 'http://a', ...credential } } });
  const paths = unset.map((field) => ['upstreams', 'acme', field]);
  return checkCredentials(config, paths).map(
    ({ path, wrong, remedy }) => `${formatPath(path).slice('upstreams.acme.'.length)} ${wrong}; ${remedy}`,
  );
}

describe('checkCredentials', () => {
  it.each(UPSTREAM_KINDS)('accepts every credential of kind %s', (kind) => {
    for (const fields of KINDS.credentialsOf(kind)) {
      expect(check(kind, Object.fromEntries(fields.map((field) => [field, 'x'])))).toEqual([]);
    }
  });

  it.each(['videos', 'chat-completions', 'responses', 'messages', 'generative-content', 'tei'])(
    'accepts kind %s without a credential',
    (kind) => {
      expect(check(kind, {})).toEqual([]);
    },
  );

  it.each(['dashscope', 'ark', 'minimax', 'vidu', 'runway', 'fal', 'replicate', 'cohere', 'jina'])(
    'requires a key for kind %s',
    (kind) => {
      expect(check(kind, {})).toEqual([`api_key is required; kind \`${kind}\` takes \`api_key\``]);
    },
  );

  it('requires a key or an identity for veo', () => {
    const requirement = 'kind `veo` takes `api_key`, or `identity` (google)';
    expect(check('veo', {})).toEqual([`api_key is required; ${requirement}`]);
  });

  it('requires a key or a pair for provider-a, and names the missing half', () => {
    const requirement = 'kind `provider-a` takes `api_key`, or `access_key` and `secret_key`';
    expect(check('provider-a', {})).toEqual([`api_key is required; ${requirement}`]);
    expect(check('provider-a', { access_key: 'a' })).toEqual([`secret_key is required; ${requirement}`]);
    expect(check('provider-a', { ...key, ...pair })).toEqual([]);
  });

  it('requires a pair for provider-b', () => {
    const requirement = 'kind `provider-b` takes `access_key` and `secret_key`';
    expect(check('provider-b', {})).toEqual([
      `access_key is required; ${requirement}`,
      `secret_key is required; ${requirement}`,
    ]);
    expect(check('provider-b', key)).toEqual([
      `access_key is required; ${requirement}`,
      `secret_key is required; ${requirement}`,
      `api_key is for other kinds; ${requirement}`,
    ]);
  });

  it('reports a credential that the kind does not accept', () => {
    const requirement = 'kind `videos` takes `api_key`, or `identity` (azure), or none';
    expect(check('videos', pair)).toEqual([
      `access_key is for other kinds; ${requirement}`,
      `secret_key is for other kinds; ${requirement}`,
    ]);
  });

  it('treats a field as present if only its variable is not set', () => {
    expect(check('vidu', {}, ['api_key'])).toEqual([]);
    expect(check('provider-b', { access_key: 'a' }, ['secret_key'])).toEqual([]);
    expect(check('provider-b', {}, ['access_key'])).toEqual([
      'secret_key is required; kind `provider-b` takes `access_key` and `secret_key`',
    ]);
  });
});
