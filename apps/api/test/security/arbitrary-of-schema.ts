import fc from 'fast-check';

/** The subset of JSON Schema that the OpenAPI document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema | boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

// Numbers that often cause bugs.
const NUMBERS = [0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), Number.MAX_VALUE, 5e-324];
const NAMES = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '\ufeff',
  '__proto__',
  'constructor',
  'toString',
  '*',
];
const TEXTS = ['../../etc/passwd', '%00', '${7*7}', "' OR 1=1 --", '<script>', '-1', '1e309', '0x7f', 'true', 'NaN'];
const ADDRESSES = ['http://127.0.0.1:1/', 'file:///etc/passwd', 'http://[::1]/', 'javascript:alert(1)', 'data:,x'];
const LONG = ['x'.repeat(20_000), '🪁'.repeat(2_000), '\r\nx-evil: 1', 'data:image/png;base64,', String.raw`\u0000`];
const SHAPES = [[], {}, [[]], [null], [{}], { length: 1e9 }, { toJSON: 'x' }, { type: '__proto__' }];
const PARSED = [
  '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"then":1}',
  '['.repeat(300) + ']'.repeat(300),
  `[${'0,'.repeat(3_000)}0]`,
  '{"type":"text","text":null}',
  '{"type":"image_url","image_url":{"url":"http://169.254.169.254/"}}',
].map((text): unknown => JSON.parse(text));
const UNUSUAL: readonly unknown[] = [
  null,
  true,
  false,
  ...NUMBERS,
  ...NAMES,
  ...TEXTS,
  ...ADDRESSES,
  ...LONG,
  ...SHAPES,
  ...PARSED,
];

const unusual = fc.constantFrom(...UNUSUAL).map((value) => structuredClone(value));
const anything = fc.oneof(unusual, fc.jsonValue({ maxDepth: 3 }), fc.string({ unit: 'binary', maxLength: 40 }));

/**
 * Generates values that mostly match a schema. Parts are occasionally replaced with other values.
 * @param schemas targets of `$ref`, by name
 * @param known fixed values for some fields, whatever their schema (e.g. existing models)
 */
export function arbitraryOfSchema(
  schema: JsonSchema | boolean | undefined,
  schemas: Readonly<Record<string, JsonSchema>>,
  known: Readonly<Record<string, unknown>>,
  depth = 0,
): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object' || depth > 6) return anything;
  const inner = (one: JsonSchema | boolean | undefined) => arbitraryOfSchema(one, schemas, known, depth + 1);
  const right = ((): fc.Arbitrary<unknown> => {
    if (schema.$ref !== undefined) return inner(schemas[schema.$ref.split('/').at(-1) ?? '']);
    const either = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (either && either.length > 0) return fc.oneof(...either.map(inner));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    switch (type ?? 'any') {
      case 'object':
        return objectOf(schema, known, inner);
      case 'array':
        return fc.array(inner(schema.items), { maxLength: 3 });
      case 'string':
        return fc.string({ minLength: Math.min(schema.minLength ?? 1, 40), maxLength: 40 });
      case 'integer':
        return fc.integer({ min: Math.ceil(schema.minimum ?? 0), max: Math.floor(schema.maximum ?? 2 ** 31) });
      case 'number':
        return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1e6, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return anything;
    }
  })();
  return fc.oneof({ weight: 40, arbitrary: right }, { weight: 1, arbitrary: anything });
}

function objectOf(
  { properties = {}, required = [] }: JsonSchema,
  known: Readonly<Record<string, unknown>>,
  inner: (schema: JsonSchema) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const members = Object.entries(properties).map(([name, schema]): fc.Arbitrary<[string, unknown][]> => {
    const value = (name in known ? fc.constant(known[name]) : inner(schema)).map((one): [string, unknown][] => [
      [name, one],
    ]);
    const presence = required.includes(name) || name in known ? 30 : 1;
    return fc.oneof(
      { weight: presence, arbitrary: value },
      { weight: presence > 1 ? 1 : 2, arbitrary: fc.constant<[string, unknown][]>([]) },
    );
  });
  const stray = fc.oneof(
    { weight: 9, arbitrary: fc.constant<[string, unknown][]>([]) },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom('__proto__', 'constructor', 'x', '', '\0'), anything).map((one) => [one]),
    },
  );
  return fc.tuple(...members, stray).map((entries) => Object.fromEntries(entries.flat()));
}
