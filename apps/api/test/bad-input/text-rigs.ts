import { afterAll, afterEach, beforeAll } from 'vitest';
import type { ApiRigOptions } from '../api-rig.ts';
import { ROUTES, type TextRoute } from '../text-routes.ts';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../text-rig.ts';
import { says, vendorConfig } from '../vendor.ts';

/** The API and the scripted upstream of a `describe` block, available while its tests run. */
export interface TextContext {
  readonly rig: TextRig;
  readonly upstream: ScriptedUpstream;
}

/** Starts an API with an upstream of each text protocol for the surrounding `describe`; resets the upstream after each test. */
export function useTextRig(options?: ApiRigOptions, models: readonly unknown[] = []): TextContext {
  let rig: TextRig | undefined;
  let upstream: ScriptedUpstream | undefined;
  beforeAll(async () => {
    upstream = await scriptedUpstream(says('hello'));
    const config = vendorConfig(upstream.url);
    rig = await textRig({ ...config, models: [...config.models, ...models] }, options);
  });
  afterEach(() => {
    if (!upstream) return;
    upstream.requests.length = 0;
    upstream.script = says('hello');
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
