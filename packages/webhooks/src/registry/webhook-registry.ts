import { randomBytes as systemRandomBytes } from 'node:crypto';
import { webhookNotFound } from './not-found.ts';
import { GatewayError, type SigningSecret, type Webhook, WEBHOOK_EVENTS, type WebhookEvent } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import { hostOf } from '../store/host-of.ts';
import type { SecretCipher } from './secret-cipher.ts';
import {
  type EarlierSecret,
  MAX_EARLIER_SECRETS,
  newSecret,
  previousSecretEnd,
  type RandomBytes,
  type EncryptedSecrets,
} from './signing-secrets.ts';
import type { WebhookKeys } from '../store/webhook-keys.ts';
import type { WebhookSettings } from '../store/webhook-settings.ts';

export interface WebhookParams {
  url: string;
  name: string;
  events: readonly WebhookEvent[];
  enabled: boolean;
}

export interface WebhookRegistryOptions {
  redis: Redis;
  keys: WebhookKeys;
  cipher: SecretCipher;
  settings: Pick<WebhookSettings, 'perKey' | 'perHost' | 'perOwner' | 'rotationMs'>;
  now: () => number;
  randomBytes?: RandomBytes;
}

const ID_BYTES = 16;
/** Number of deliveries per script call. It is limited, so that no call blocks Redis for long. */
const MOVE_BATCH = 200;
/** Maximum number of script calls when a URL changes. */
const MAX_MOVE_CALLS = 5;

/** Owners' webhooks and their signing secrets. Webhooks of other owners are treated as missing. */
export class WebhookRegistry {
  readonly #redis: Redis;
  readonly #keys: WebhookKeys;
  readonly #cipher: SecretCipher;
  readonly #settings: WebhookRegistryOptions['settings'];
  readonly #now: () => number;
  readonly #randomBytes: RandomBytes;

  constructor(options: WebhookRegistryOptions) {
    this.#redis = options.redis;
    this.#keys = options.keys;
    this.#cipher = options.cipher;
    this.#settings = options.settings;
    this.#now = options.now;
    this.#randomBytes = options.randomBytes ?? systemRandomBytes;
  }

  /** @throws GatewayError `invalid_request` if the owner has too many webhooks */
  async create(ownerId: string, params: WebhookParams): Promise<Webhook & SigningSecret> {
    const { perKey } = this.#settings;
    const now = this.#now();
    const id = `whe_${Buffer.from(this.#randomBytes(ID_BYTES)).toString('hex')}`;
    const { shown, stored } = newSecret(this.#cipher, this.#randomBytes);
    const fields = {
      id,
      owner: ownerId,
      ...paramsFields(params),
      createdAt: String(now),
      updatedAt: String(now),
      ...stored,
    };
    const [webhook, owned] = [this.#keys.webhook(id), this.#keys.of(ownerId)];
    if ((await this.#redis.webhooksRegister(webhook, owned, perKey, id, ...Object.entries(fields).flat())) === 0) {
      throw new GatewayError(
        'invalid_request',
        `Webhook limit reached: this key allows ${perKey} webhooks. Delete one first.`,
      );
    }
    return { ...parseWebhook(fields, now), ...shown };
  }

  async list(ownerId: string): Promise<Webhook[]> {
    const ids = await this.#redis.smembers(this.#keys.of(ownerId));
    const webhooks = await Promise.all(ids.map((id) => this.find(ownerId, id)));
    return webhooks
      .filter((webhook) => webhook !== undefined)
      .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
  }

  async find(ownerId: string, id: string): Promise<Webhook | undefined> {
    const fields = await this.#load(ownerId, id);
    return fields && parseWebhook(fields, this.#now());
  }

  async update(ownerId: string, id: string, params: Partial<WebhookParams>): Promise<Webhook> {
    const before = await this.#expect(ownerId, id);
    await this.#change(id, { ...paramsFields(params), updatedAt: String(this.#now()) });
    if (params.url !== undefined && hostOf(params.url) !== hostOf(before.url)) await this.#moveDeliveries(id);
    return this.#expect(ownerId, id);
  }

  /** @throws GatewayError `webhook_not_found` */
  async remove(ownerId: string, id: string): Promise<void> {
    await this.#expect(ownerId, id);
    await this.#redis.srem(this.#keys.of(ownerId), id);
    await this.#redis.del(this.#keys.webhook(id), this.#keys.webhookLog(id), this.#keys.tests(id));
  }

  /** Disables a webhook after a 410 response. Returns false if its URL has changed or it does not exist. */
  async retire(id: string, url: string): Promise<boolean> {
    return (await this.#redis.webhooksDisableGone(this.#keys.webhook(id), url, this.#now())) === 1;
  }

  /**
   * @param keepsPrevious whether the earlier secrets also sign for a limited time
   * @throws GatewayError `webhook_not_found`
   */
  async rotate(ownerId: string, id: string, keepsPrevious: boolean): Promise<Webhook & SigningSecret> {
    await this.#expect(ownerId, id);
    const key = this.#keys.webhook(id);
    const shown = await this.#rotate(key, (await this.#redis.hget(key, 'secret')) ?? '', keepsPrevious);
    return { ...(await this.#expect(ownerId, id)), ...shown };
  }

  /** Returns the secret that signs callbacks of single requests. It is created on first use. */
  async keySecret(ownerId: string): Promise<SigningSecret> {
    const stored = await this.keySecrets(ownerId);
    const until = previousSecretEnd(stored, this.#now());
    return {
      secret: this.#decrypt(stored.secret),
      secretHint: stored.hint,
      ...(until !== undefined && { previousSecretUntil: until }),
    };
  }

  async rotateKeySecret(ownerId: string, keepsPrevious: boolean): Promise<SigningSecret> {
    const { secret } = await this.keySecrets(ownerId);
    return this.#rotate(this.#keys.secret(ownerId), secret, keepsPrevious);
  }

  /** Returns the encrypted secrets that sign callbacks of single requests. */
  async keySecrets(ownerId: string): Promise<EncryptedSecrets> {
    const key = this.#keys.secret(ownerId);
    const known = await this.#redis.hgetall(key);
    if (known['secret']) return parseSecrets(known);
    const { stored } = newSecret(this.#cipher, this.#randomBytes);
    const flat = await this.#redis.webhooksCreateSecret(key, stored.secret, stored.hint);
    return parseSecrets(Object.fromEntries(pairs(flat)));
  }

  /** Returns where a webhook's deliveries are sent; undefined if the webhook does not exist. */
  async target(id: string): Promise<{ url: string; isDisabled: boolean; secrets: EncryptedSecrets } | undefined> {
    const fields = await this.#redis.hgetall(this.#keys.webhook(id));
    if (!fields['url']) return undefined;
    return { url: fields['url'], isDisabled: (fields['disabled'] ?? '') !== '', secrets: parseSecrets(fields) };
  }

  async #load(ownerId: string, id: string): Promise<Record<string, string> | undefined> {
    if (!/^whe_[0-9a-f]{32}$/.test(id)) return undefined;
    const fields = await this.#redis.hgetall(this.#keys.webhook(id));
    return fields['owner'] === ownerId ? fields : undefined;
  }

  async #expect(ownerId: string, id: string): Promise<Webhook> {
    const webhook = await this.find(ownerId, id);
    if (webhook) return webhook;
    throw webhookNotFound();
  }

  #decrypt(encrypted: string): string {
    try {
      return this.#cipher.decrypt(encrypted);
    } catch (cause) {
      const what = 'The signing secret was encrypted with another `server.secret`. Rotate the signing secret.';
      throw new GatewayError('internal_error', what, { cause });
    }
  }

  #canDecrypt(encrypted: string): boolean {
    try {
      this.#cipher.decrypt(encrypted);
      return true;
    } catch {
      return false;
    }
  }

  async #change(id: string, fields: Readonly<Record<string, string>>): Promise<void> {
    await this.#redis.webhooksChange(this.#keys.webhook(id), ...Object.entries(fields).flat());
  }

  /** Moves pending deliveries to the new host, newest first. Any others are moved when they are claimed. */
  async #moveDeliveries(id: string): Promise<void> {
    const { perHost, perOwner } = this.#settings;
    const scriptArgs = [this.#keys.prefix, this.#now(), perHost, perOwner] as const;
    for (let step = 0; step < MAX_MOVE_CALLS; step += 1) {
      const from = step * MOVE_BATCH;
      const examined = await this.#redis.webhooksMoveToHost(
        this.#keys.webhook(id),
        ...scriptArgs,
        id,
        from,
        MOVE_BATCH,
      );
      if (examined < MOVE_BATCH) return;
    }
  }

  async #rotate(key: string, current: string, keepsPrevious: boolean): Promise<SigningSecret> {
    const now = this.#now();
    const { shown, stored } = newSecret(this.#cipher, this.#randomBytes);
    const ends = keepsPrevious ? now + this.#settings.rotationMs : '';
    const unreadable = this.#canDecrypt(current) ? '' : current;
    const earlier = await this.#redis.webhooksRotate(
      key,
      stored.secret,
      stored.hint,
      ends,
      now,
      MAX_EARLIER_SECRETS,
      unreadable,
    );
    const until = previousSecretEnd({ earlier: parseEarlier(earlier) }, now);
    return { ...shown, ...(until !== undefined && { previousSecretUntil: until }) };
  }
}

function paramsFields({ url, name, events, enabled }: Partial<WebhookParams>): Record<string, string> {
  return {
    ...(url !== undefined && { url }),
    ...(name !== undefined && { name }),
    ...(events !== undefined && { events: events.join(',') }),
    ...(enabled !== undefined && { disabled: enabled ? '' : 'by_owner' }),
  };
}

type Fields = Readonly<Record<string, string>>;

function parseWebhook(fields: Fields, now: number): Webhook {
  const { id = '', url = '', name = '', events = '', disabled = '', hint = '' } = fields;
  const until = previousSecretEnd(parseSecrets(fields), now);
  return {
    id,
    url,
    name,
    events: WEBHOOK_EVENTS.filter((event) => events.split(',').includes(event)),
    ...(disabled !== '' && { disabled: disabled === 'gone' ? 'gone' : 'by_owner' }),
    createdAt: Number(fields['createdAt']),
    updatedAt: Number(fields['updatedAt']),
    secretHint: hint,
    ...(until !== undefined && { previousSecretUntil: until }),
  };
}

function parseSecrets({ secret = '', hint = '', earlier = '' }: Fields): EncryptedSecrets {
  return { secret, hint, earlier: parseEarlier(earlier) };
}

function parseEarlier(json: string): EarlierSecret[] {
  // The cast is safe because only the rotation script writes this value.
  return json === '' ? [] : (JSON.parse(json) as EarlierSecret[]);
}

/** Yields the field-value pairs of a flat list from Redis. */
function* pairs(flat: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at + 1 < flat.length; at += 2) yield [flat[at] ?? '', flat[at + 1] ?? ''];
}
