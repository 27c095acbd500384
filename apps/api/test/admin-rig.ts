import { type ApiRig, apiRig, type ApiRigOptions } from './api-rig.ts';

export const ADMIN_KEY = 'an admin key of the rig';

/** The admin key as a header. */
export const adminAuth = { authorization: `Bearer ${ADMIN_KEY}` };

export interface AdminResponse {
  status: number;
  body: Record<string, unknown>;
}

/** An API with the admin API enabled. */
export interface AdminRig extends ApiRig {
  admin(method: string, at: string, body?: unknown): Promise<AdminResponse>;
  /** @returns the key's secret */
  createKey(name: string, fields?: Record<string, unknown>): Promise<string>;
  /** Returns the status of `GET /v1/models` with a key. */
  statusWith(key: string): Promise<number>;
}

export async function adminRig(options: ApiRigOptions = {}): Promise<AdminRig> {
  const config = { server: { admin_key: ADMIN_KEY }, ...options.config };
  const rig = await apiRig({ redisTimeoutMs: 10_000, ...options, config });
  const admin: AdminRig['admin'] = async (method, at, body) => {
    const response = await rig.call(`/admin/v1/${at}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    // The cast is safe because the response is always an object.
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    ...rig,
    admin,
    async createKey(name, fields = {}) {
      const { status, body } = await admin('POST', 'keys', { name, ...fields });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return String(body['key']);
    },
    async statusWith(key) {
      return (await rig.call('/v1/models', { headers: { authorization: `Bearer ${key}` } })).status;
    },
  };
}
