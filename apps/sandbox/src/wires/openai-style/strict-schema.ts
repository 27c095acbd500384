import { z } from 'zod';

const Loose = z.looseObject({
  type: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  $defs: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Returns the first violation of `strict: true`: every object must set `additionalProperties: false` and require all of
 * its properties.
 */
export function strictSchemaError(schema: unknown, context: readonly string[] = []): string | undefined {
  const own = Loose.safeParse(schema).data;
  if (own === undefined) return undefined;
  const where = `In context=(${context.map((step) => `'${step}'`).join(', ')}${context.length === 1 ? ',' : ''})`;
  const properties = own.properties ?? {};
  if (own.type === 'object' || own.properties !== undefined) {
    if (own.additionalProperties !== false) {
      return `${where}, 'additionalProperties' is required to be supplied and to be false.`;
    }
    const missing = Object.keys(properties).find((name) => own.required?.includes(name) !== true);
    if (missing !== undefined) {
      return `${where}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
  }
  const inner: [string[], unknown][] = [
    ...Object.entries(properties).map(([name, part]): [string[], unknown] => [['properties', name], part]),
    ...Object.entries(own.$defs ?? {}).map(([name, part]): [string[], unknown] => [['$defs', name], part]),
    ...(own.anyOf ?? []).map((part, at): [string[], unknown] => [['anyOf', String(at)], part]),
    [['items'], own.items],
  ];
  for (const [steps, part] of inner) {
    const fault = strictSchemaError(part, [...context, ...steps]);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
