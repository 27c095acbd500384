import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type ApiRigOptions, SMALL_LIMITS } from '../api-rig.ts';
import { ROUTES, type TextRoute } from '../text-routes.ts';
import { type Script, type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../text-rig.ts';
import { respondWith, vendorConfig } from '../vendor.ts';

/** The API and the scripted upstream of a `describe` block. Only available while its tests run. */
export interface TextContext {
  readonly rig: TextRig;
  readonly upstream: ScriptedUpstream;
}

type RigConfig = NonNullable<ApiRigOptions['config']>;

/**
 * Starts an API for the surrounding `describe`, with an upstream for each text protocol. Resets the upstream after each
 * test.
 */
export function useTextRig(options?: ApiRigOptions, models: readonly unknown[] = []): TextContext {
  const config = (url: string) => {
    const vendors = vendorConfig(url);
    return { ...vendors, models: [...vendors.models, ...models] };
  };
  return useScriptedRig(respondWith('hello'), config, options);
}

/**
 * Starts an API with small limits for the surrounding `describe`. Checks that no test's request reaches an upstream.
 */
export function useRefusingRig(config: (url: string) => RigConfig, limits: ApiRigOptions['limits'] = {}): TextContext {
  const options = { limits: { ...SMALL_LIMITS, ...limits } };
  const context = useScriptedRig((_request, response) => sendJson(response, 200, {}), config, options);
  afterEach(() => {
    expect(context.upstream.requests).toEqual([]);
  });
  return context;
}

function useScriptedRig(script: Script, config: (url: string) => RigConfig, options?: ApiRigOptions): TextContext {
  let rig: TextRig | undefined;
  let upstream: ScriptedUpstream | undefined;
  beforeAll(async () => {
    upstream = await scriptedUpstream(script);
    rig = await textRig(config(upstream.url), options);
  });
  afterEach(() => {
    if (!upstream) return;
    upstream.requests.length = 0;
    upstream.script = script;
  });
  afterAll(async () => {
    await rig?.close();
    await upstream?.close();
  });
  return {
    get rig() {
      return started(rig);
    },
    get upstream() {
      return started(upstream);
    },
  };
}

/** Finds a text route by name. */
export function routeOf(name: string): TextRoute {
  const route = ROUTES.find((candidate) => candidate.name === name);
  if (!route) throw new Error(`There is no route \`${name}\`.`);
  return route;
}

function started<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The rig starts before the first test.');
  return value;
}
