import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { createSecretCipher } from './secret-cipher.ts';
import { newSecret, secretsAt, signatureHeaders } from './signing-secrets.ts';

const cipher = createSecretCipher('the secret of a gateway');

describe('createSecretCipher', () => {
  it('decrypts its own ciphertext and encrypts the same text differently each time', () => {
    expect(cipher.decrypt(cipher.encrypt('whsec_ü'))).toBe('whsec_ü');
    expect(cipher.encrypt('x')).not.toBe(cipher.encrypt('x'));
  });

  it('rejects ciphertext that was modified or encrypted with another key', () => {
    const encrypted = cipher.encrypt('whsec_secret');
    const changed = `${encrypted.slice(0, -2)}${encrypted.endsWith('A') ? 'BB' : 'AA'}`;
    for (const text of [changed, '', 'nonsense', createSecretCipher('another gateway').encrypt('x')]) {
      expect(() => cipher.decrypt(text)).toThrow();
    }
  });
});

it('signs the published vector of Standard Webhooks', () => {
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

it('creates a secret of 32 random bytes whose signatures verify', () => {
  const { shown, stored } = newSecret(cipher, (size) => Buffer.alloc(size, 7));
  expect(Buffer.from(shown.secret.slice('whsec_'.length), 'base64')).toEqual(Buffer.alloc(32, 7));
  const now = Date.now();
  const body = '{"a":"ü"}';
  const headers = signatureHeaders(
    secretsAt({ ...stored, earlier: [] }, cipher, now, () => undefined),
    { id: 'evt_1', at: now, body },
  );
  expect(new Webhook(shown.secret).verify(body, headers)).toEqual({ a: 'ü' });
});

it('skips an earlier secret of another gateway, but requires the newest', () => {
  const encrypt = (text: string) => cipher.encrypt(`whsec_${Buffer.from(text.padEnd(32, '.')).toString('base64')}`);
  const foreign = createSecretCipher('another gateway').encrypt('x');
  const earlier = [
    { secret: foreign, until: 2_000 },
    { secret: encrypt('before'), until: 2_000 },
    { secret: encrypt('ended'), until: 1_000 },
  ];
  let skipped = 0;
  const skip = () => (skipped += 1);
  const secrets = secretsAt({ secret: encrypt('now'), hint: '', earlier }, cipher, 1_000, skip);
  expect(secrets).toEqual([cipher.decrypt(encrypt('now')), cipher.decrypt(encrypt('before'))]);
  expect(skipped).toBe(1);
  expect(() => secretsAt({ secret: foreign, hint: '', earlier }, cipher, 1_000, skip)).toThrow();
});
