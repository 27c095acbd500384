import { GatewayError } from '@sluice/canonical';

/**
 * The error for a part of a request that the upstream's protocol does not support. @param message ends with the remedy
 */
export function unsupportedField(param: string, message: string): GatewayError {
  return new GatewayError('unsupported_parameter', message, { param });
}

export function unsupportedTool(name: string, param: string): GatewayError {
  return unsupportedField(param, `The upstream of this model does not provide the tool \`${name}\`. Remove it.`);
}

/** @param kind kind of media (e.g. `audio`) */
export function unsupportedMedia(kind: string): GatewayError {
  return unsupportedField(kind, `The upstream of this model does not accept ${kind} input. Remove it.`);
}

/** @param kind kind of output (e.g. `audio`) */
export function unsupportedModality(kind: string): GatewayError {
  return unsupportedField(
    'modalities',
    `The upstream of this model does not support ${kind} output. Request text only.`,
  );
}

export function unsupportedFileId(param: string): GatewayError {
  return unsupportedField(param, 'The upstream of this model does not have this file. Send the file itself.');
}

export function unsupportedUrl(param: string): GatewayError {
  return unsupportedField(param, 'The upstream of this model cannot fetch this URL. Send the file itself.');
}

export function tooManyChoices(max: number): GatewayError {
  return unsupportedField('n', `n must be ${max === 1 ? '' : 'at most '}${max} for this model.`);
}
