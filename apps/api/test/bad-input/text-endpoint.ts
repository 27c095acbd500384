import { describe } from 'vitest';
import { testTextFields, type TextFields } from './text-fields.ts';
import { testExtremeJson } from './text-json.ts';
import { testTextRequests } from './text-requests.ts';
import { routeOf } from './text-rigs.ts';

/**
 * Registers the bad-input tests of a text endpoint.
 * @param name the route's name in {@link routeOf}
 */
export function testTextEndpoint(name: string, fields: TextFields = {}): void {
  const route = routeOf(name);
  describe(`POST ${route.at(':model')}`, () => {
    testTextRequests(route);
    testExtremeJson(route);
    testTextFields(route, fields);
  });
}
