import { describe, expect, it } from 'vitest';
import { ConsoleSchema } from './console-schema.ts';

const OIDC = {
  issuer: 'https://id.example/realms/a',
  client_id: 'sluice',
  client_secret: 's',
  roles: { admin: ['a'] },
};

function problemsOf(oidc: object, more: object = {}): string[] {
  const { error } = ConsoleSchema.safeParse({ oidc: { ...OIDC, ...oidc }, ...more });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('ConsoleSchema', () => {
  it('has no single sign-on, and sessions of 12 hours, by default', () => {
    expect(ConsoleSchema.parse(undefined)).toEqual({ session_ms: 43_200_000 });
  });

  it('needs an issuer, a client, and a group', () => {
    expect(ConsoleSchema.parse({ oidc: OIDC }).oidc).toEqual({
      ...OIDC,
      name: 'single sign-on',
      scopes: ['openid', 'profile', 'email'],
      groups_claim: 'groups',
      roles: { admin: ['a'], operator: [], viewer: [] },
    });
    expect(problemsOf({ roles: {} })).toEqual(['oidc.roles: must map at least one group to a role']);
    expect(problemsOf({ client_secret: undefined })).toHaveLength(1);
  });

  it('accepts an issuer without TLS only on the same machine', () => {
    for (const host of ['127.0.0.1:9000', 'localhost', '[::1]:9000']) {
      expect(problemsOf({ issuer: `http://${host}/` }), host).toEqual([]);
    }
    for (const host of ['id.example', '10.0.0.5', 'localhost.example', '127.0.0.1.example']) {
      expect(problemsOf({ issuer: `http://${host}/` }), host).toEqual([
        'oidc.issuer: must be an https URL, except for a provider on the same machine',
      ]);
    }
  });

  it.each([
    [{ scopes: ['profile'] }, 'oidc.scopes: must contain `openid`'],
    [{ scopes: ['openid profile'] }, 'oidc.scopes.0: must be a scope without spaces or quotes'],
  ])('rejects %j', (oidc, problem) => {
    expect(problemsOf(oidc)).toContain(problem);
  });

  it.each([0, 59_999, 2_592_000_001])('rejects sessions of %i ms', (session_ms) => {
    expect(problemsOf({}, { session_ms })).toHaveLength(1);
  });
});
