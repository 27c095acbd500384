import { z } from 'zod';
import { httpUrl, section } from './field-types.ts';

const DAY_MS = 24 * 3_600_000;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const groups = (role: string, does: string) =>
  z
    .array(z.string().min(1))
    .default([])
    .describe(`Groups of the provider whose users have the role \`${role}\`: ${does}.`);

const OidcSchema = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(40)
    .default('single sign-on')
    .describe('The name of the provider on the sign-in button, such as `Okta`.'),
  issuer: httpUrl()
    .refine(isSecure, 'must be an https URL, except for a provider on the same machine')
    .describe('The issuer URL of the provider. Sluice adds `/.well-known/openid-configuration` to read its settings.'),
  client_id: z.string().min(1).describe('The id of the client that you registered at the provider for Sluice.'),
  client_secret: z.string().min(1).describe('The secret of the client.'),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope without spaces or quotes'))
    .default(['openid', 'profile', 'email'])
    .refine((scopes) => scopes.includes('openid'), 'must contain `openid`')
    .describe('The scopes that Sluice requests. Add the scope of the groups, if the provider has one.'),
  groups_claim: z
    .string()
    .min(1)
    .default('groups')
    .describe("The claim of the ID token or of the user info that lists the user's groups."),
  roles: z
    .strictObject({
      admin: groups('admin', 'everything of the admin API and the playground'),
      operator: groups('operator', 'read everything, test upstreams, and act on tasks'),
      viewer: groups('viewer', 'read everything'),
    })
    .refine((roles) => Object.values(roles).some((names) => names.length > 0), {
      message: 'must map at least one group to a role',
    }),
});

export const ConsoleSchema = section({
  trace_url: z
    .string()
    .regex(/^https?:\/\/\S*\{trace_id\}\S*$/, 'must be a URL with `{trace_id}`')
    .optional()
    .describe('The URL of a trace, with `{trace_id}` in place of its id. The page of a request links to it.'),
  session_ms: z
    .int()
    .min(60_000)
    .max(30 * DAY_MS)
    .default(DAY_MS / 2)
    .describe('The lifetime of a console session, from one minute to 30 days. Sluice does not extend it.'),
  oidc: OidcSchema.optional(),
});

function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || LOOPBACK.has(hostname);
}
