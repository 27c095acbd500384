const PEM_FIELDS = ['ca', 'cert', 'key'] as const;

/**
 * Lets `redis.tls` name its files, as the settings of other programs do: a path becomes a reference to the file.
 * Returns a copy of the settings.
 */
export function referToPemFiles(settings: unknown): unknown {
  const redis = fieldsOf(fieldsOf(settings)?.['redis']);
  const tls = fieldsOf(redis?.['tls']);
  if (!redis || !tls) return settings;
  const named = PEM_FIELDS.flatMap((field) => {
    const value = tls[field];
    return isPath(value) ? [[field, `\${file:${value}}`]] : [];
  });
  return { ...fieldsOf(settings), redis: { ...redis, tls: { ...tls, ...Object.fromEntries(named) } } };
}

function isPath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !value.includes('-----BEGIN') && !value.includes('${');
}

function fieldsOf(value: unknown): Record<string, unknown> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined; // The cast is safe because keys of objects are text.
}
