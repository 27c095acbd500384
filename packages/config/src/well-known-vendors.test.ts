import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkCredentials } from './check/check-credentials.ts';
import { checkReferences } from './check/check-references.ts';
import { expandEnvironment } from './load/expand-environment.ts';
import { loadConfig } from './load/load-config.ts';
import { matchPattern } from './patterns/match-pattern.ts';
import { modelCatalog } from './models/model-catalog.ts';
import { parseSettings } from './load/parse-settings.ts';
import { SANDBOX } from './schema/sandbox.ts';
import { KINDS, UPSTREAM_KINDS } from './schema/kinds.ts';

const VENDORS = [SANDBOX, ...KINDS.vendors];

async function azureWith(env: Record<string, string>) {
  return (await loadConfig({ env, cwd: '/nowhere' })).upstreams['azure'];
}

describe('well-known vendors', () => {
  it.each(VENDORS)('could be written in a file: %j', ({ upstreams, models }) => {
    const { variables } = expandEnvironment(upstreams, {});
    const env = Object.fromEntries([...variables.values()].flat().map((variable) => [variable, 'https://set']));
    const expansion = expandEnvironment({ upstreams, models }, env);
    const settings = parseSettings(expansion, () => 'here');
    expect([...checkReferences(settings), ...checkCredentials(settings, [])]).toEqual([]);
  });

  it('have distinct names, except for vendors with two kinds of credential', () => {
    const names = VENDORS.flatMap(({ upstreams }) => Object.keys(upstreams));
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    expect(twice).toEqual(['azure', 'azure-r', 'azure', 'azure-r', 'kling']);
    const klings = VENDORS.filter(({ upstreams }) => 'kling' in upstreams).map(({ models }) => models);
    expect(klings[1]).toEqual(klings[0]);
  });

  it('have no pattern that is hidden by an earlier pattern', () => {
    const ids = [...new Set(VENDORS.flatMap(({ models }) => models.map(({ id }) => id)))];
    const hidden = ids.filter((id, index) => ids.slice(0, index).some((other) => matchPattern(other, id)));
    expect(hidden).toEqual([]);
    expect(ids.length).toBeLessThan(VENDORS.flatMap(({ models }) => models).length);
  });

  it('need their own variable, and the sandbox none', () => {
    const unset = VENDORS.map(({ upstreams }) => expandEnvironment(upstreams, {}).unset.length);
    expect(unset.map((count) => count > 0)).toEqual([false, ...KINDS.vendors.map(() => true)]);
  });

  it('cover every upstream kind', () => {
    const kinds = VENDORS.flatMap(({ upstreams }) => Object.values(upstreams).map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(UPSTREAM_KINDS));
  });

  it('include Azure with the variables of its libraries', async () => {
    const endpoint = { AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com/' };
    const entra = { AZURE_TENANT_ID: 'contoso', AZURE_CLIENT_ID: 'app' };
    expect(await azureWith({ ...endpoint, ...entra, AZURE_OPENAI_API_KEY: 'k' })).toMatchObject({ api_key: 'k' });
    expect(await azureWith({ ...endpoint, ...entra, AZURE_CLIENT_SECRET: 's' })).toMatchObject({
      identity: { type: 'azure-client-secret', client_id: 'app', authority_host: 'https://login.microsoftonline.com' },
    });
    expect(await azureWith({ ...endpoint, ...entra, AZURE_FEDERATED_TOKEN_FILE: '/token' })).toMatchObject({
      identity: { type: 'azure-workload-identity', token_file: '/token' },
    });
    expect(await azureWith({ ...entra, AZURE_CLIENT_SECRET: 's' })).toBeUndefined();
  });

  it('include Vertex AI with the variables of Google’s libraries', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'sluice-config-'));
    const key = path.join(folder, 'key.json');
    await writeFile(key, '{"type":"service_account"}');
    const env = {
      GOOGLE_APPLICATION_CREDENTIALS: key,
      GOOGLE_CLOUD_PROJECT: 'p',
      GOOGLE_CLOUD_LOCATION: 'europe-west1',
    };
    const { upstreams } = await loadConfig({ env, cwd: '/nowhere' });
    const base = 'https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/publishers';
    const identity = { type: 'google-credentials', credentials_file: key };
    expect(upstreams['vertex']).toMatchObject({ kind: 'generative-content', base_url: `${base}/google`, identity });
    expect(upstreams['vertex-claude']).toMatchObject({ kind: 'messages', base_url: `${base}/anthropic`, identity });
    expect(upstreams['vertex-veo']).toMatchObject({ kind: 'veo', base_url: `${base}/google`, identity });
    const { GOOGLE_CLOUD_LOCATION: _region, ...some } = env;
    expect((await loadConfig({ env: some, cwd: '/nowhere' })).upstreams['vertex']).toBeUndefined();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['OPENAI_API_KEY', 'dall-e-3', 'openai', 'dall-e-3'],
    ['GEMINI_API_KEY', 'veo-3.1-generate-preview', 'veo', 'veo-3.1-generate-preview'],
    ['DASHSCOPE_API_KEY', 'wanx2.1-t2v-turbo', 'dashscope', 'wanx2.1-t2v-turbo'],
    ['DASHSCOPE_API_KEY', 'qwen-image-plus', 'dashscope', 'qwen-image-plus'],
    ['DASHSCOPE_API_KEY', 'qwen3-max', 'qwen', 'qwen3-max'],
    ['COHERE_API_KEY', 'rerank-v4.0-pro', 'cohere', 'rerank-v4.0-pro'],
    ['COHERE_API_KEY', 'embed-v4.0', 'cohere', 'embed-v4.0'],
    ['JINA_API_KEY', 'jina-reranker-v3', 'jina', 'jina-reranker-v3'],
    ['AZURE_OPENAI_API_KEY AZURE_OPENAI_ENDPOINT', 'azure/my-gpt', 'azure', 'my-gpt'],
    ['KLING_API_KEY', 'kling-v2-1-master', 'kling', 'kling-v2-1-master'],
    ['KLING_AK KLING_SK', 'kling-v2-1-master', 'kling', 'kling-v2-1-master'],
    ['VOLC_AK VOLC_SK', 'jimeng_t2v_v30', 'jimeng', 'jimeng_t2v_v30'],
    ['ARK_API_KEY', 'doubao-seedance-1-0-pro-250528', 'ark', 'doubao-seedance-1-0-pro-250528'],
    ['MINIMAX_API_KEY', 'MiniMax-Hailuo-02', 'minimax', 'MiniMax-Hailuo-02'],
    ['MINIMAX_API_KEY', 'MiniMax-H3', 'minimax', 'MiniMax-H3'],
    ['MINIMAX_API_KEY', 'T2V-01-Director', 'minimax', 'T2V-01-Director'],
    ['VIDU_API_KEY', 'viduq2', 'vidu', 'viduq2'],
    ['RUNWAYML_API_SECRET', 'gen4.5', 'runway', 'gen4.5'],
    ['RUNWAYML_API_SECRET', 'runway/veo3.1', 'runway', 'veo3.1'],
    ['FAL_KEY', 'fal-ai/veo3', 'fal', 'fal-ai/veo3'],
    ['FAL_KEY', 'fal/acme/clip', 'fal', 'acme/clip'],
    ['REPLICATE_API_TOKEN', 'replicate/minimax/video-01', 'replicate', 'minimax/video-01'],
  ])('with %s serve %s at %s as %s', async (variables, id, upstream, model) => {
    const env = Object.fromEntries(
      variables.split(' ').map((variable) => [variable, variable.endsWith('ENDPOINT') ? 'https://k' : 'k']),
    );
    const config = await loadConfig({ env, cwd: '/nowhere' });
    expect(modelCatalog(config).find(id)?.targets).toEqual([{ upstream, model }]);
    expect(config.upstreams[upstream]).toBeDefined();
  });
});
