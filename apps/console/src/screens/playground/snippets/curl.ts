import type { ApiRequest } from '../protocols/text-protocol.ts';
import { shellLiteral } from './literals.ts';

/** Formats a request as a curl command. @param origin base URL of Sluice, without a slash at the end */
export function curlSnippet({ path, headers = {}, json, form }: ApiRequest, origin: string): string {
  const isStream = json?.['stream'] === true || path.includes(':streamGenerateContent');
  const lines = [
    `curl ${isStream ? '-N ' : ''}${shellLiteral(origin + path)}`,
    `-H ${credentialOf(path)}`,
    // Without `prefer`, the response has the result.
    ...Object.entries(headers)
      .filter(([name]) => name !== 'prefer')
      .map(([name, value]) => `-H ${shellLiteral(`${name}: ${value}`)}`),
    ...(json
      ? ["-H 'Content-Type: application/json'", `-d ${shellLiteral(JSON.stringify(json, undefined, 2))}`]
      : (form ?? []).map(([name, value]) =>
          typeof value === 'string'
            ? `-F ${shellLiteral(`${name}=${value}`)}`
            : `-F ${shellLiteral(`${name}=@${value.name}`)}`,
        )),
    ...(path === '/v1/audio/speech' ? [`-o speech.${formatOf(json)}`] : []),
  ];
  return lines.join(' \\\n  ');
}

function credentialOf(path: string): string {
  if (path.startsWith('/v1beta/')) return '"x-goog-api-key: $SLUICE_KEY"';
  return path === '/v1/messages' ? '"x-api-key: $SLUICE_KEY"' : '"Authorization: Bearer $SLUICE_KEY"';
}

function formatOf(json: ApiRequest['json']): string {
  const format = json?.['response_format'];
  return typeof format === 'string' ? format : 'mp3';
}
