import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createSecretBox } from './secret-box.ts';
import { newSecret, secretsAt, signatureHeaders } from './signing-secrets.ts';

const box = createSecretBox('the secret of a gateway');

describe('a secret box', () => {
  it('opens what it has sealed, and seals the same text anew each time', () => {
    expect(box.open(box.seal('whsec_ü'))).toBe('whsec_ü');
    expect(box.seal('x')).not.toBe(box.seal('x'));
  });

  it('opens nothing that was changed or sealed by another', () => {
    const sealed = box.seal('whsec_secret');
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith('A') ? 'BB' : 'AA'}`;
    for (const text of [changed, '', 'nonsense', createSecretBox('another gateway').seal('x')]) {
      expect(() => box.open(text)).toThrow();
    }
  });
});

it('signatures are those of the vector that Standard Webhooks publishes', () => {
  const headers = signatureHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: 1_614_265_330_000,
    body: '{"test": 2432232314}',
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it('a new secret has 32 random bytes, and signs what verifies with it', () => {
  const { shown, kept } = newSecret(box, (size) => Buffer.alloc(size, 7));
  expect(Buffer.from(shown.secret.slice('whsec_'.length), 'base64')).toEqual(Buffer.alloc(32, 7));
  const now = Date.now();
  const body = '{"a":"ü"}';
  const headers = signatureHeaders(secretsAt(kept, box, now), { id: 'evt_1', at: now, body });
  expect(new Webhook(shown.secret).verify(body, headers)).toEqual({ a: 'ü' });
});
