/** A credential that expires, e.g. an access token. */
export interface TimedCredential<T> {
  value: T;
  /** Unix milliseconds. */
  expiresAt: number;
  /** When the vendor suggests a replacement, in Unix milliseconds. The default is 5 minutes before the end. */
  refreshAt?: number | undefined;
}

export interface CredentialCacheOptions<T> {
  /** Loads a new credential from the vendor. It must end after a time. */
  load(this: void): Promise<TimedCredential<T>>;
  /** @param isUsable whether the former credential is still valid, so that calls continue */
  onFailure(this: void, error: unknown, isUsable: boolean): void;
  /** Unix milliseconds. */
  now: () => number;
}

/**
 * Holds one credential and replaces it early. Only a call without a valid credential waits, and all waiting calls share
 * one load. While loads fail, a valid credential stays in use, and the pause between loads grows from 1 s to 30 s.
 */
export interface CredentialCache<T> {
  /** Returns a valid credential at once. @throws the error of the last load, at once during the pause after it */
  get(this: void): T | Promise<T>;
  /** Reports that the vendor accepted a credential. */
  accept(this: void, value: T): void;
  /**
   * Reports that the vendor rejected a credential, and drops it. A credential that replaced a rejected one and was never
   * accepted stays for a minute, so that a missing permission does not cause a load for each call.
   * @returns whether another credential may be accepted
   */
  reject(this: void, value: T): boolean;
  /** Returns the last credential, which may have expired. */
  last(this: void): T | undefined;
}

const EARLY_MS = 300_000;
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
const REPLACEMENT_MS = 60_000;

interface Held<T> {
  value: T;
  expiresAt: number;
  refreshAt: number;
  loadedAt: number;
  isReplacement: boolean;
  isAccepted: boolean;
  isRejected: boolean;
}

export function createCredentialCache<T>({ load, onFailure, now }: CredentialCacheOptions<T>): CredentialCache<T> {
  let held: Held<T> | undefined;
  let loading: Promise<T> | undefined;
  let failed: { error: unknown; times: number; until: number } | undefined;

  const usable = (): Held<T> | undefined => (held && !held.isRejected && held.expiresAt > now() ? held : undefined);

  async function loadOnce(): Promise<T> {
    try {
      const loaded = await load();
      held = hold(loaded, held, now());
      failed = undefined;
      return loaded.value;
    } catch (error) {
      const times = (failed?.times ?? 0) + 1;
      failed = { error, times, until: now() + Math.min(MIN_PAUSE_MS * 2 ** (times - 1), MAX_PAUSE_MS) };
      onFailure(error, usable() !== undefined);
      throw error;
    } finally {
      loading = undefined;
    }
  }

  return {
    get() {
      const valid = usable();
      const isPaused = failed !== undefined && failed.until > now();
      if (!valid) return loading ?? (failed && isPaused ? Promise.reject(failed.error) : (loading = loadOnce()));
      if (valid.refreshAt <= now() && !isPaused && !loading) {
        loading = loadOnce();
        // `onFailure` reports the error.
        loading.catch(() => undefined);
      }
      return valid.value;
    },
    accept(value) {
      if (held?.value === value) held.isAccepted = true;
    },
    reject(value) {
      if (held?.value !== value || held.isRejected) return true;
      if (held.isReplacement && !held.isAccepted && now() - held.loadedAt < REPLACEMENT_MS) return false;
      held.isRejected = true;
      return true;
    },
    last: () => held?.value,
  };
}

function hold<T>(loaded: TimedCredential<T>, former: Held<T> | undefined, loadedAt: number): Held<T> {
  const { value, expiresAt } = loaded;
  const leftMs = expiresAt - loadedAt;
  const refreshAt = loaded.refreshAt ?? expiresAt - Math.min(EARLY_MS, leftMs / 4);
  const isReplacement = former?.isRejected === true;
  return {
    value,
    expiresAt,
    // A library can return a credential again that it should have replaced.
    refreshAt: refreshAt > loadedAt ? refreshAt : loadedAt + leftMs / 4,
    loadedAt,
    isReplacement,
    isAccepted: former?.value === value && former.isAccepted && !isReplacement,
    isRejected: false,
  };
}
