/** Settings of a new or changed key. With a change, null removes a field. */
export interface KeySettings {
  models?: string[] | null;
  strict?: boolean;
  vendor_references?: boolean;
  limits?: Record<string, number | null> | null;
  budget?: { usd: number; period: 'day' | 'month' | 'total' } | null;
  labels?: Record<string, string | null> | null;
  expires_at?: number | null;
}
