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

describe('well-known vendors', () => {
  it.each(VENDORS)('could be written in a file: %j', ({ upstreams, models }) => {
    const { variables } = expandEnvironment(upstreams, {});
    const env = Object.fromEntries([...variables.values()].flat().map((variable) => [variable, 'http://set']));
    const expansion = expandEnvironment({ upstreams, models }, env);
    const settings = parseSettings(expansion, () => 'here');
    expect([...checkReferences(settings), ...checkCredentials(settings, [])]).toEqual([]);
  });

  it('have distinct names, except for vendors with two kinds of credential', () => {
    const names = VENDORS.flatMap(({ upstreams }) => Object.keys(upstreams));
    const twice = names.filter((name, index) => names.indexOf(name) !== index);
    expect(twice).toEqual(['kling']);
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

  it.each([
    ['OPENAI_API_KEY', 'dall-e-3', 'openai', 'dall-e-3'],
    ['GEMINI_API_KEY', 'veo-3.1-generate-preview', 'veo', 'veo-3.1-generate-preview'],
    ['DASHSCOPE_API_KEY', 'wanx2.1-t2v-turbo', 'dashscope', 'wanx2.1-t2v-turbo'],
    ['DASHSCOPE_API_KEY', 'qwen-image-plus', 'dashscope', 'qwen-image-plus'],
    ['DASHSCOPE_API_KEY', 'qwen3-max', 'qwen', 'qwen3-max'],
    ['COHERE_API_KEY', 'rerank-v4.0-pro', 'cohere', 'rerank-v4.0-pro'],
    ['COHERE_API_KEY', 'embed-v4.0', 'cohere', 'embed-v4.0'],
    ['JINA_API_KEY', 'jina-reranker-v3', 'jina', 'jina-reranker-v3'],
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
    const env = Object.fromEntries(variables.split(' ').map((variable) => [variable, 'k']));
    const config = await loadConfig({ env, cwd: '/nowhere' });
    expect(modelCatalog(config).find(id)?.targets).toEqual([{ upstream, model }]);
    expect(config.upstreams[upstream]).toBeDefined();
  });
});
