import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEBHOOK_EVENTS } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { webhooksEndpoints } from './endpoints.ts';
import { decodeWebhook } from './request.ts';
import { DeliverySchema, WebhookWithSecretSchema } from './schema.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/use/webhooks.md'), 'utf8');

/** The JSON examples on the page, by object type. */
const shown = [...page.matchAll(/^\{.+\}$/gm)].map(([text]) => JSON.parse(text) as { object: string });

describe('docs/use/webhooks.md', () => {
  it('lists every path and no other', () => {
    const expected = [...page.matchAll(/^\| `(\w+ \/v1\/\S+)` \|/gm)].map(([, call = '']) => call);
    const routes = webhooksEndpoints
      .filter(({ path }) => path.startsWith('/v1/webhooks'))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    expect(expected.toSorted()).toEqual(routes.toSorted());
  });

  it('lists every event and every failure of an attempt', () => {
    const failures = DeliverySchema.shape.attempts.element.shape.error.unwrap().options;
    for (const code of [...WEBHOOK_EVENTS, ...failures]) expect(page).toContain(`\`${code}\``);
  });

  it('shows a valid request and real responses', () => {
    const [, body = ''] = /-d '(.+)'$/m.exec(page) ?? [];
    expect(decodeWebhook(JSON.parse(body)).events).toEqual(['video.completed', 'video.failed']);
    const byObject = new Map(shown.toReversed().map((one) => [one.object, one]));
    const strict = { reportInput: true };
    expect(WebhookWithSecretSchema.strict().parse(byObject.get('webhook_endpoint'), strict)).toBeTruthy();
    expect(DeliverySchema.strict().parse(byObject.get('webhook.delivery'), strict)).toBeTruthy();
    expect(byObject.get('event')).toMatchObject({ type: 'video.completed', data: { object: 'video' } });
  });
});
