import { GatewayError } from '@sluice/canonical';
import { isLabelName, isLabelValue, LABEL_NAME_RULE, LABEL_VALUE_RULE, MAX_LABELS } from '@sluice/config';
import { printable } from '../http/printable.ts';

export const LABELS_HEADER = 'x-sluice-labels';

export type Labels = Readonly<Record<string, string>>;

/**
 * Reads the labels of a request, e.g. `team=search,feature=chat`. They replace labels of the key with the same names.
 * @throws GatewayError `invalid_request`
 */
export function readLabels(header: string | readonly string[], ofKey: Labels | undefined): Labels {
  const own = new Map<string, string>();
  for (const pair of String(header).split(',')) {
    const [name, value] = readLabel(pair.trim());
    if (own.has(name)) throw invalid(`The label ${printable(name)} appears twice. Send it once.`);
    own.set(name, value);
  }
  const labels = { ...ofKey, ...Object.fromEntries(own) };
  if (Object.keys(labels).length <= MAX_LABELS) return labels;
  throw invalid(`A request can have at most ${MAX_LABELS} labels, with the labels of its API key. Remove some.`);
}

function readLabel(pair: string): [name: string, value: string] {
  const equals = pair.indexOf('=');
  if (equals === -1) {
    throw invalid(`\`${LABELS_HEADER}\` must be a list such as \`team=search,feature=chat\`; got ${printable(pair)}.`);
  }
  const [name, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
  if (!isLabelName(name)) throw invalid(`The name of a label must be ${LABEL_NAME_RULE}; got ${printable(name)}.`);
  if (!isLabelValue(value)) {
    throw invalid(`The value of the label \`${name}\` must be ${LABEL_VALUE_RULE}; got ${printable(value)}.`);
  }
  return [name, value];
}

function invalid(message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param: LABELS_HEADER });
}
