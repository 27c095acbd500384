import { describe, expect, it } from 'vitest';
import { knownFields } from './known-fields.ts';

describe('knownFields', () => {
  it('lists the fields of a section, of list entries, and of a named upstream', () => {
    expect(knownFields([])).toContain('upstreams');
    expect(knownFields(['server'])).toEqual([
      'host',
      'port',
      'processes',
      'public_url',
      'origins',
      'trusted_proxies',
      'secret',
      'admin_key',
    ]);
    expect(knownFields(['models', 3, 'routes', 0])).toEqual(['upstream', 'model', 'quirks', 'priority', 'weight']);
    expect(knownFields(['upstreams', 'any'])).toContain('base_url');
    expect(knownFields(['upstreams', 'any', 'quirks'])).toContain('sampling');
  });

  it('returns an empty list for names without fields', () => {
    expect(knownFields(['server', 'host'])).toEqual([]);
    expect(knownFields(['nope', 'nope', 1])).toEqual([]);
  });
});
