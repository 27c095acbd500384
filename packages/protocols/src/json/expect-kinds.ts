import { GatewayError } from '@sluice/canonical';

/**
 * A type name, the types of an object's members, or the type of an array's elements. Omitted and null values are always
 * valid.
 */
export type Kinds = 'string' | 'number' | 'object' | { readonly [member: string]: Kinds } | readonly [element: Kinds];

/**
 * Checks the inner types of a request before translation, which would silently lose a value of the wrong type.
 * @throws GatewayError `invalid_request` with the name of the first invalid field
 */
export function expectKinds(value: unknown, kinds: Kinds, param: string): void {
  if (value === undefined || value === null) return;
  if (kinds === 'string' || kinds === 'number') {
    if (typeof value !== kinds) throw wrongKind(param, `a ${kinds}`);
    return;
  }
  if (isList(kinds)) {
    if (!Array.isArray(value)) throw wrongKind(param, 'an array');
    for (const [index, element] of value.entries()) expectKinds(element, kinds[0], `${param}[${index}]`);
    return;
  }
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongKind(param, 'an object');
  if (kinds === 'object') return;
  for (const [member, inner] of Object.entries(kinds)) {
    expectKinds(Reflect.get(value, member), inner, param === '' ? member : `${param}[${member}]`);
  }
}

function isList(kinds: Kinds): kinds is readonly [element: Kinds] {
  return Array.isArray(kinds);
}

function wrongKind(param: string, kind: string): GatewayError {
  return new GatewayError('invalid_request', `${param} must be ${kind}.`, { param });
}
