import type { MediaCapabilities, TextCall, VendorBatchCapability } from '@sluice/canonical';
import { defineUpstream, type UpstreamAccount, type UpstreamContext } from '../contract/upstream.ts';
import { encodeSegment } from '../cloud/aws/encode-segment.ts';
import { controlUrlOf, s3EndpointOf } from '../cloud/aws/s3-object.ts';
import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { bearer } from '../text/bearer.ts';
import { createTextUpstream } from '../text/create-text-upstream.ts';
import { authorizedContext } from '../cloud/authorized-context.ts';
import { awsKeyAuthorizer } from '../cloud/aws/aws-identity.ts';
import { invocationJobs } from '../batches/invocation-jobs.ts';
import { asServerSentEvents } from './as-server-sent-events.ts';
import { bedrockImages } from './image.ts';
import { bedrockVideos } from './video.ts';

const EVENT_STREAM = 'application/vnd.amazon.eventstream';

/** The runtime API of Bedrock, with a Bedrock API key, or with an access key or an identity that signs requests. */
export const bedrock = defineUpstream({
  kind: 'bedrock',
  build: (account, context) => ({
    ...mediaOf(account, context),
    ...batchesOf(account, context),
    text: createTextUpstream(
      {
        protocol: 'converse',
        credential: bearer,
        streamType: EVENT_STREAM,
        path: (call) => {
          const operation = operationOf(call);
          return operation === undefined ? undefined : `/model/${encodeSegment(call.model)}/${operation}`;
        },
        response: ({ body, headers, ...response }) => {
          if (headers['content-type'] !== EVENT_STREAM) return { ...response, headers, body };
          const converted = { ...headers, 'content-type': 'text/event-stream' };
          return { ...response, headers: converted, body: asServerSentEvents(body) };
        },
      },
      account,
      contextOf(account, context),
    ),
  }),
});

function operationOf({ operation, stream }: TextCall): string | undefined {
  if (operation === 'count-tokens') return 'count-tokens';
  if (operation !== 'generate') return undefined;
  return stream ? 'converse-stream' : 'converse';
}

/** An account generates videos only if it has a folder in S3, and a credential that can read it. */
function mediaOf(account: UpstreamAccount, context: UpstreamContext): MediaCapabilities {
  const { api_key: apiKey, secret_key: secretKey, identity, output_uri: outputUri } = account;
  const headers = apiKey === undefined ? {} : Object.fromEntries([bearer(apiKey)]);
  const image = createMediaUpstream(account, contextOf(account, context), () => headers, bedrockImages);
  const isSigned = secretKey !== undefined || identity !== undefined;
  if (outputUri === undefined || !isSigned) return { image };
  const wire = bedrockVideos({ outputUri, endpoint: s3EndpointOf(account) });
  // An API key cannot read S3, so videos need the key pair or the identity.
  return { image, video: createMediaUpstream(account, signedContext(account, context), () => ({}), wire) };
}

/** An account has batches only if it has a folder in S3, a role that can read and write it, and a key pair. */
function batchesOf(account: UpstreamAccount, context: UpstreamContext): { batches?: VendorBatchCapability } {
  const { secret_key: secretKey, output_uri: folder, batch_role_arn: roleArn } = account;
  if (secretKey === undefined || folder === undefined || roleArn === undefined) return {};
  const settings = { folder, roleArn, endpoint: s3EndpointOf(account), controlUrl: controlUrlOf(account) };
  return { batches: invocationJobs(account, (baseUrl) => signedContext(account, context, baseUrl), settings) };
}

/** A Bedrock API key takes precedence over a key pair. */
function contextOf(account: UpstreamAccount, context: UpstreamContext): UpstreamContext {
  return account.api_key === undefined ? signedContext(account, context) : context;
}

function signedContext(
  account: UpstreamAccount,
  context: UpstreamContext,
  baseUrl: string = account.base_url,
): UpstreamContext {
  const { access_key: accessKeyId, secret_key: secretAccessKey } = account;
  if (accessKeyId === undefined || secretAccessKey === undefined) return context;
  const authorizer = awsKeyAuthorizer({ accessKeyId, secretAccessKey }, account, context.now);
  return authorizedContext(context, baseUrl, authorizer);
}
