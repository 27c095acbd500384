import { describe, expect, it } from 'vitest';
import { formatPath } from '../issues/config-error.ts';
import { capabilitiesOfModel } from '../models/model-capabilities.ts';
import { ConfigSchema } from '../schema/schema.ts';
import { checkOutputs } from './check-outputs.ts';
import { checkReferences } from './check-references.ts';

const PAIR = { access_key: 'a', secret_key: 's' };
const BUCKET = 's3://bucket/videos';

function parse(upstream: object, model: object = {}) {
  const models = [{ id: 'm', routes: [{ upstream: 'acme', model: 'x' }], ...model }];
  return ConfigSchema.parse({ upstreams: { acme: { base_url: 'http://a', ...upstream } }, models });
}

function check(upstream: object, unset: string[] = []): string[] {
  const paths = unset.map((field) => ['upstreams', 'acme', field]);
  return checkOutputs(parse(upstream), paths).map(
    ({ path, wrong, remedy }) => `${formatPath(path).slice('upstreams.acme.'.length)} ${wrong}; ${remedy}`,
  );
}

describe('checkOutputs', () => {
  it('accepts a folder in the storage of the cloud', () => {
    expect(check({ kind: 'veo', api_key: 'k', output_uri: 'gs://bucket' })).toEqual([]);
    expect(check({ kind: 'bedrock', ...PAIR, output_uri: BUCKET, s3_endpoint: 'https://s3.example' })).toEqual([]);
    const identity = { type: 'aws-instance' };
    expect(check({ kind: 'bedrock', identity, output_uri: BUCKET })).toEqual([]);
    expect(check({ kind: 'bedrock', api_key: 'k', output_uri: BUCKET }, ['access_key'])).toEqual([]);
  });

  it('reports a folder in the storage of another cloud', () => {
    const remedy = 'name a folder in the storage of this cloud';
    expect(check({ kind: 'veo', api_key: 'k', output_uri: BUCKET })).toEqual([
      `output_uri must start with \`gs://\` for kind \`veo\`; ${remedy}`,
    ]);
    expect(check({ kind: 'bedrock', ...PAIR, output_uri: 'gs://bucket' })).toEqual([
      `output_uri must start with \`s3://\` for kind \`bedrock\`; ${remedy}`,
    ]);
  });

  it('reports a credential that cannot read the folder', () => {
    const issue =
      'output_uri needs a credential that signs requests, because an API key cannot read S3; set `identity`, or `access_key` and `secret_key`';
    expect(check({ kind: 'bedrock', api_key: 'k', output_uri: BUCKET })).toEqual([issue]);
    const credentials = [
      { name: 'one', ...PAIR },
      { name: 'two', api_key: 'k' },
    ];
    expect(check({ kind: 'bedrock', credentials, output_uri: BUCKET })).toEqual([issue]);
  });

  it('reports an endpoint without a folder', () => {
    expect(check({ kind: 'bedrock', ...PAIR, s3_endpoint: 'https://s3.example' })).toEqual([
      's3_endpoint has no effect without `output_uri`; set `output_uri`, or remove it',
    ]);
  });
});

describe('a model of an upstream that needs a folder', () => {
  it('generates videos only with it', () => {
    const bedrock = { kind: 'bedrock', ...PAIR };
    const served = (config: ReturnType<typeof parse>) => config.models.map((one) => capabilitiesOfModel(config, one));
    expect(served(parse(bedrock))).toEqual([['text', 'image']]);
    expect(served(parse({ ...bedrock, output_uri: BUCKET }))).toEqual([['text', 'video', 'image']]);
    const config = parse(bedrock, { capabilities: ['video'] });
    expect(checkReferences(config)).toMatchObject([
      { path: ['models', 0, 'capabilities', 0], remedy: 'set `output_uri` of the upstream, or remove it' },
    ]);
  });
});
