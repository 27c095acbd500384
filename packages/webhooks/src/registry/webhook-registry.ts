import { randomBytes as systemRandomBytes } from 'node:crypto';
import { GatewayError, type SigningSecret, type Webhook, WEBHOOK_EVENTS, type WebhookEvent } from '@sluice/canonical';
import type { Redis } from 'ioredis';
import { hostOf } from '../store/host-of.ts';
import type { SecretBox } from './secret-box.ts';
import {
  type EarlierSecret,
  KEPT_EARLIER,
  newSecret,
  previousUntil,
  type RandomBytes,
  type EncryptedSecrets,
} from './signing-secrets.ts';
import type { WebhookKeys } from '../store/webhook-keys.ts';
import type { WebhookSettings } from '../store/webhook-settings.ts';

/** What a client says of a webhook. */
export interface WebhookParams {
  url: string;
  name: string;
  events: readonly WebhookEvent[];
  /** Whether it is told anything. */
  enabled: boolean;
}

/** Where webhooks and secrets are kept. */
export interface WebhookRegistryOptions {
  redis: Redis;
  keys: WebhookKeys;
  box: SecretBox;
  settings: Pick<WebhookSettings, 'perKey' | 'perHost' | 'perOwner' | 'rotationMs'>;
  now: () => number;
  randomBytes?: RandomBytes;
}

const ID_BYTES = 16;
/** Deliveries that one step looks at: more would hold Redis up. */
const FOLLOW_BATCH = 200;
/** Steps that a change of the URL waits for. */
const FOLLOW_STEPS = 5;

/** An owner's webhooks and the secrets that sign what they are told. One of another owner does not exist. */
export class WebhookRegistry {
  readonly #redis: Redis;
  readonly #keys: WebhookKeys;
  readonly #box: SecretBox;
  readonly #settings: WebhookRegistryOptions['settings'];
  readonly #now: () => number;
  readonly #randomBytes: RandomBytes;

  constructor(options: WebhookRegistryOptions) {
    this.#redis = options.redis;
    this.#keys = options.keys;
    this.#box = options.box;
    this.#settings = options.settings;
    this.#now = options.now;
    this.#randomBytes = options.randomBytes ?? systemRandomBytes;
  }

  /** Registers a webhook; the secret is not told again. @throws GatewayError `invalid_request` when there are too many */
  async create(ownerId: string, params: WebhookParams): Promise<Webhook & SigningSecret> {
    const { perKey } = this.#settings;
    const now = this.#now();
    const id = `whe_${Buffer.from(this.#randomBytes(ID_BYTES)).toString('hex')}`;
    const { shown, kept } = newSecret(this.#box, this.#randomBytes);
    const fields = {
      id,
      owner: ownerId,
      ...paramsFields(params),
      createdAt: String(now),
      updatedAt: String(now),
      ...kept,
    };
    const [webhook, of] = [this.#keys.webhook(id), this.#keys.of(ownerId)];
    if ((await this.#redis.webhooksRegister(webhook, of, perKey, id, ...Object.entries(fields).flat())) === 0) {
      throw new GatewayError('invalid_request', `A key may have ${perKey} webhooks. Delete one that is not needed.`);
    }
    return { ...parseWebhook(fields, now), ...shown };
  }

  /** All of an owner's webhooks, oldest first. */
  async list(ownerId: string): Promise<Webhook[]> {
    const ids = await this.#redis.smembers(this.#keys.of(ownerId));
    const found = await Promise.all(ids.map((id) => this.find(ownerId, id)));
    return found
      .filter((one) => one !== undefined)
      .toSorted((one, other) => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1));
  }

  async find(ownerId: string, id: string): Promise<Webhook | undefined> {
    const fields = await this.#load(ownerId, id);
    return fields && parseWebhook(fields, this.#now());
  }

  /** Changes what is said and leaves the rest. @throws GatewayError `webhook_not_found` */
  async update(ownerId: string, id: string, params: Partial<WebhookParams>): Promise<Webhook> {
    const before = await this.#expect(ownerId, id);
    await this.#change(id, { ...paramsFields(params), updatedAt: String(this.#now()) });
    if (params.url !== undefined && hostOf(params.url) !== hostOf(before.url)) await this.#follow(id);
    return this.#expect(ownerId, id);
  }

  /** @throws GatewayError `webhook_not_found` */
  async remove(ownerId: string, id: string): Promise<void> {
    await this.#expect(ownerId, id);
    await this.#redis.srem(this.#keys.of(ownerId), id);
    await this.#redis.del(this.#keys.webhook(id), this.#keys.webhookLog(id), this.#keys.tests(id));
  }

  /** Switches a webhook off that has said that it is gone, at this URL; false when it has another one by now, or none. */
  async retire(id: string, url: string): Promise<boolean> {
    return (await this.#redis.webhooksDisableGone(this.#keys.webhook(id), url, this.#now())) === 1;
  }

  /**
   * Gives a webhook another secret; for a time those before sign as well.
   * @param keepsPrevious whether they stay good for that time; else they end at once
   * @throws GatewayError `webhook_not_found`
   */
  async rotate(ownerId: string, id: string, keepsPrevious: boolean): Promise<Webhook & SigningSecret> {
    await this.#expect(ownerId, id);
    const key = this.#keys.webhook(id);
    const shown = await this.#rotate(key, (await this.#redis.hget(key, 'secret')) ?? '', keepsPrevious);
    return { ...(await this.#expect(ownerId, id)), ...shown };
  }

  /** The secret that signs what is sent to callbacks of single requests; made when it is first asked for. */
  async keySecret(ownerId: string): Promise<SigningSecret> {
    const kept = await this.keySecrets(ownerId);
    const until = previousUntil(kept, this.#now());
    return {
      secret: this.#open(kept.secret),
      secretHint: kept.hint,
      ...(until !== undefined && { previousSecretUntil: until }),
    };
  }

  async rotateKeySecret(ownerId: string, keepsPrevious: boolean): Promise<SigningSecret> {
    const { secret } = await this.keySecrets(ownerId);
    return this.#rotate(this.#keys.secret(ownerId), secret, keepsPrevious);
  }

  /** The sealed secrets of callbacks, for who signs. */
  async keySecrets(ownerId: string): Promise<EncryptedSecrets> {
    const key = this.#keys.secret(ownerId);
    const known = await this.#redis.hgetall(key);
    if (known['secret']) return parseSecrets(known);
    const { kept } = newSecret(this.#box, this.#randomBytes);
    const flat = await this.#redis.webhooksCreateSecret(key, kept.secret, kept.hint);
    return parseSecrets(Object.fromEntries(pairs(flat)));
  }

  /** Whom a delivery goes to, for the worker; undefined when the webhook is gone. */
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
    throw new GatewayError('webhook_not_found', 'There is no such webhook.');
  }

  #open(sealed: string): string {
    try {
      return this.#box.open(sealed);
    } catch (cause) {
      const what = 'The secret was sealed with another server.secret. Rotate it to have one that can be read.';
      throw new GatewayError('internal_error', what, { cause });
    }
  }

  #reads(sealed: string): boolean {
    try {
      this.#box.open(sealed);
      return true;
    } catch {
      return false;
    }
  }

  async #change(id: string, fields: Readonly<Record<string, string>>): Promise<void> {
    await this.#redis.webhooksChange(this.#keys.webhook(id), ...Object.entries(fields).flat());
  }

  /**
   * What waits is to go to the host of the new URL. The newest are moved at once: whoever claims one of the rest, be they
   * too many or this broken off, sees to it.
   */
  async #follow(id: string): Promise<void> {
    const { perHost, perOwner } = this.#settings;
    const lane = [this.#keys.prefix, this.#now(), perHost, perOwner] as const;
    for (let step = 0; step < FOLLOW_STEPS; step += 1) {
      const from = step * FOLLOW_BATCH;
      const looked = await this.#redis.webhooksMoveToHost(this.#keys.webhook(id), ...lane, id, from, FOLLOW_BATCH);
      if (looked < FOLLOW_BATCH) return;
    }
  }

  async #rotate(key: string, current: string, keepsPrevious: boolean): Promise<SigningSecret> {
    const now = this.#now();
    const { shown, kept } = newSecret(this.#box, this.#randomBytes);
    const ends = keepsPrevious ? now + this.#settings.rotationMs : '';
    const unreadable = this.#reads(current) ? '' : current;
    const earlier = await this.#redis.webhooksRotate(key, kept.secret, kept.hint, ends, now, KEPT_EARLIER, unreadable);
    const until = previousUntil({ earlier: parseEarlier(earlier) }, now);
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
  const until = previousUntil(parseSecrets(fields), now);
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

/** Written by the script of rotations alone. */
function parseEarlier(json: string): EarlierSecret[] {
  return json === '' ? [] : (JSON.parse(json) as EarlierSecret[]);
}

/** Redis' flat list of fields and values, two by two. */
function* pairs(flat: readonly string[]): Generator<[string, string]> {
  for (let at = 0; at + 1 < flat.length; at += 2) yield [flat[at] ?? '', flat[at + 1] ?? ''];
}
