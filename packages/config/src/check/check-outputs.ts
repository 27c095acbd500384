import type { FieldPath } from '../issues/config-error.ts';
import { KINDS } from '../schema/kinds.ts';
import type { ConfigFile, UpstreamConfig } from '../schema/schema.ts';
import { presentIn } from './check-credentials.ts';
import type { ReferenceIssue } from './reference-issue.ts';

/**
 * Finds folders for videos in the storage of another cloud, and those that a credential cannot read.
 * @param unset fields that refer to an unset variable
 */
export function checkOutputs({ upstreams }: ConfigFile, unset: readonly FieldPath[]): ReferenceIssue[] {
  return Object.entries(upstreams).flatMap(([name, upstream]): ReferenceIssue[] => {
    const path = ['upstreams', name];
    const { kind, output_uri: uri, s3_endpoint: endpoint } = upstream;
    const scheme = KINDS.outputOf(kind)?.scheme;
    if (scheme === undefined) return [];
    if (uri === undefined) {
      const remedy = 'set `output_uri`, or remove it';
      const wrong = 'has no effect without `output_uri`';
      return endpoint === undefined ? [] : [{ path: [...path, 's3_endpoint'], wrong, remedy }];
    }
    const at = [...path, 'output_uri'];
    if (!uri.startsWith(`${scheme}://`)) {
      const wrong = `must start with \`${scheme}://\` for kind \`${kind}\``;
      return [{ path: at, wrong, remedy: 'name a folder in the storage of this cloud' }];
    }
    if (scheme !== 's3' || canSign(upstream, path, unset)) return [];
    const wrong = 'needs a credential that signs requests, because an API key cannot read S3';
    return [{ path: at, wrong, remedy: 'set `identity`, or `access_key` and `secret_key`' }];
  });
}

/** Whether all credentials of the upstream can sign requests. */
function canSign(upstream: UpstreamConfig, path: FieldPath, unset: readonly FieldPath[]): boolean {
  const { credentials } = upstream;
  const owners = credentials?.map((one, index) => presentIn(one, [...path, 'credentials', index], unset));
  return (owners ?? [presentIn(upstream, path, unset)]).every(
    (present) => present.includes('identity') || present.includes('access_key'),
  );
}
