import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../refusal.ts';
import type { TextRoute } from '../text-routes.ts';
import { sendJson } from '../text-rig.ts';
import { type TextContext, useTextRig } from './text-rigs.ts';

/** One value of each JSON type. */
const VALUES = { string: 'x', number: 1.5, boolean: true, array: [[]], object: {}, null: null } as const;

export type JsonType = keyof typeof VALUES;

/** The fields of a text endpoint and the values that they reject. */
export interface TextFields {
  /** The JSON types that each field accepts. All others are rejected. */
  types?: Readonly<Record<string, readonly JsonType[]>>;
  limits?: readonly [field: string, accepted: readonly number[], rejected: readonly number[]][];
  /** Strings that are not in a field's list of allowed values. */
  unknownValues?: readonly [field: string, value: string][];
  required?: readonly string[];
  /** Empty values for fields that must not be empty. */
  empty?: readonly [field: string, value: unknown][];
  /**
   * Body fields that contain one invalid part, and the path of that part. Only translated requests are parsed this far.
   */
  nested?: readonly [members: Record<string, unknown>, param: string][];
}

const VENDOR_ERROR = {
  type: 'error',
  error: {
    message: 'a vendor error',
    type: 'invalid_request_error',
    param: 'deep',
    code: 400,
    status: 'INVALID_ARGUMENT',
  },
};

/** Registers the tests of a text endpoint's fields. */
export function testTextFields(route: TextRoute, fields: TextFields): void {
  if (Object.keys(fields).length === 0) return;
  const context = useTextRig();
  const { limits = [], nested = [] } = fields;
  describe('400', () => {
    testTypes(context, route, fields.types ?? {});
    testTopLevel(context, route, fields);
    for (const [field, , rejected] of limits) testLimit(context, route, field, rejected);
    if (nested.length > 0) testNested(context, route, nested);
  });
  if (limits.length === 0) return;
  describe('200', () => {
    for (const [field, accepted] of limits) testAccepted(context, route, field, accepted);
  });
}

function testTypes(context: TextContext, route: TextRoute, types: Required<TextFields>['types']): void {
  const { at, body, native, protocol } = route;
  const rejected = Object.entries(types).flatMap(([field, accepted]) =>
    (Object.keys(VALUES) as JsonType[]) // The cast is needed because `Object.keys` returns `string[]`.
      .filter((type) => !accepted.includes(type))
      .map((type): [field: string, type: JsonType] => [field, type]),
  );
  it.each(rejected)('the type of `%s` is %s', async (field, type) => {
    // Matches the field itself or an invalid part of it.
    const within = new RegExp(`^${field}(?:\\[|$)`);
    const sent = { ...body(native), [field]: VALUES[type] };
    const small = await context.rig.post(at(native), sent);
    const param = await rejectedField(small.clone());
    expect(param).toMatch(within);
    await expectRefusal(small, protocol, { status: 400, code: 'invalid_request', param });
    // A long body is relayed while it is still being received.
    const long = JSON.stringify({ ...sent, padding: 'x'.repeat(70_000) });
    expect(await rejectedField(await context.rig.post(at(native), long))).toMatch(within);
    expect(context.upstream.requests).toEqual([]);
  });
}

/** Returns the field that an error names, in any protocol's format. */
async function rejectedField(response: Response): Promise<string> {
  const { error } = (await response.json()) as {
    error: {
      message: string;
      param?: string;
      details?: [{ fieldViolations: [{ field: string }] }] | { error_code: string };
    };
  };
  expect(response.status, error.message).toBe(400);
  if (error.param) return error.param;
  if (Array.isArray(error.details)) return error.details[0].fieldViolations[0].field;
  return error.message.split(' ', 1)[0] ?? '';
}

function testTopLevel(context: TextContext, route: TextRoute, fields: TextFields): void {
  const { at, body, native, protocol } = route;
  const { unknownValues = [], required = [], empty = [] } = fields;
  const expectRejected = async (field: string, value: unknown, message?: RegExp) => {
    const response = await context.rig.post(at(native), { ...body(native), [field]: value });
    const expected = { status: 400, code: 'invalid_request', param: field, ...(message && { message }) };
    await expectRefusal(response, protocol, expected);
    expect(context.upstream.requests).toEqual([]);
  };
  it.each(unknownValues)('`%s` has the unknown value `%s`', (field, value) => expectRejected(field, value));
  it.each(required)('`%s` is missing', (field) => expectRejected(field, undefined, /required/));
  it.each(empty)('`%s` is empty', (field, value) => expectRejected(field, value));
}

const BODIES = [
  ['short', ''],
  ['long', 'x'.repeat(70_000)],
] as const;

function testLimit(context: TextContext, route: TextRoute, field: string, rejected: readonly number[]): void {
  const { at, body, native, foreign, protocol } = route;
  describe.each(BODIES)(`\`${field}\` in a %s body`, (_length, padding) => {
    it.each(rejected)('is %d, relayed or translated', async (value) => {
      for (const model of [native, foreign]) {
        const reply = await context.rig.post(at(model), { ...body(model), [field]: value, padding });
        await expectRefusal(reply, protocol, { status: 400, code: 'invalid_request', param: field });
      }
      expect(context.upstream.requests).toEqual([]);
    });
  });
}

function testAccepted(context: TextContext, route: TextRoute, field: string, accepted: readonly number[]): void {
  const { at, body, native, foreign } = route;
  describe.each(BODIES)(`\`${field}\` in a %s body`, (_length, padding) => {
    it.each(accepted)('is %d, relayed or translated', async (value) => {
      for (const model of [native, foreign]) {
        const response = await context.rig.post(at(model), { ...body(model), [field]: value, padding });
        expect(response.status, await response.text()).toBe(200);
      }
      expect(context.upstream.requests[0]?.body[field]).toBe(value);
    });
  });
}

function testNested(context: TextContext, route: TextRoute, nested: Required<TextFields>['nested']): void {
  const { at, body, native, foreign, protocol } = route;
  const cases = nested.map(([members, param]) => ({ members, param, json: JSON.stringify(members) }));
  describe.each(cases)('`$param` is invalid in $json', ({ members, param }) => {
    it('translated: the error names its path, buffered and streamed', async () => {
      const sent = { ...body(foreign), ...members };
      const expected = { status: 400, code: 'invalid_request', param };
      await expectRefusal(await context.rig.post(at(foreign), sent), protocol, expected);
      await expectRefusal(await context.rig.post(at(foreign), { ...sent, stream: true }), protocol, expected);
      expect(context.upstream.requests).toEqual([]);
    });

    it('relayed: the vendor rejects it', async () => {
      context.upstream.script = (_request, response) => sendJson(response, 400, VENDOR_ERROR);
      const reply = await context.rig.post(at(native), { ...body(native), ...members });
      expect(reply.status).toBe(400);
      expect(await reply.json()).toEqual(VENDOR_ERROR);
      expect(context.upstream.requests).toHaveLength(1);
      expect(context.upstream.requests[0]?.body).toMatchObject(members);
    });
  });
}
