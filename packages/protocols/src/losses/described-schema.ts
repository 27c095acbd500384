import type { LossReport, TextFormat } from '@sluice/canonical';

type SchemaFormat = Extract<TextFormat, { type: 'schema' }>;

/** The name of a format whose client's protocol has no name. */
export const DEFAULT_FORMAT_NAME = 'response';

/**
 * Returns the schema with the format's name and description as its `title` and `description`, for protocols that have
 * no fields for them. Reports a name or description that the schema's own one replaces.
 * @param hasTitle whether the upstream accepts the keyword `title`
 */
export function describedSchema(
  { name, description, schema }: SchemaFormat,
  report: LossReport,
  hasTitle = true,
): SchemaFormat['schema'] {
  const described = { ...schema };
  const fields = { title: name === DEFAULT_FORMAT_NAME ? undefined : name, description };
  for (const [keyword, text] of Object.entries(fields)) {
    if (text === undefined || text === '' || schema[keyword] === text) continue;
    if (schema[keyword] === undefined && (hasTitle || keyword !== 'title')) described[keyword] = text;
    else report({ field: `response_format.${keyword === 'title' ? 'name' : keyword}`, how: 'dropped' });
  }
  return described;
}
