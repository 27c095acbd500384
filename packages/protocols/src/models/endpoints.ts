import { z } from 'zod';
import { type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import type { TextProtocol } from '../contracts/text-protocol.ts';
import {
  GenerativeModelListSchema,
  GenerativeModelSchema,
  ListAnyModelsSchema,
  ListGenerativeModelsSchema,
  MessagesModelListSchema,
  MessagesModelSchema,
  ModelListSchema,
  ModelSchema,
} from './schema.ts';

/** The protocols that format errors on `/v1/models` and `/v1beta/models`. */
export interface ModelsProtocols {
  chatCompletions: TextProtocol;
  generativeContent: TextProtocol;
  /** The formats of errors in all styles, for the OpenAPI document. */
  errorSchema?: z.ZodType;
}

const everyCredential: readonly Credential[] = ['bearer', 'x-api-key', 'x-gen-api-key', 'key-query'];
const generativeCredentials: readonly Credential[] = ['x-gen-api-key', 'key-query', 'bearer'];
const headers = {
  'messages-version': 'With `x-api-key`, selects the messages style; `anthropic-version` does the same.',
  'x-gen-api-key': 'Selects the generative style; `x-goog-api-key` and `?key=` do the same.',
};

/** Model list endpoints. The style of a `/v1/models` response depends on the request. */
export function modelsEndpoints({ chatCompletions, generativeContent, errorSchema }: ModelsProtocols) {
  const shared = {
    method: 'GET',
    protocol: chatCompletions,
    credentials: everyCredential,
    headers,
    ...(errorSchema && { errorSchema }),
  } as const;
  const generative = { method: 'GET', protocol: generativeContent, credentials: generativeCredentials } as const;
  return defineEndpoints([
    {
      ...shared,
      path: '/v1/models',
      operationId: 'listModels',
      summary: 'List the models available to this key',
      action: 'models.list',
      query: ListAnyModelsSchema,
      responses: {
        200: {
          description: "The models, in the client's style",
          content: {
            'application/json': z.union([ModelListSchema, MessagesModelListSchema, GenerativeModelListSchema]),
          },
        },
      },
      errors: ['invalid_request'],
    },
    {
      ...shared,
      path: '/v1/models/*model',
      operationId: 'retrieveModel',
      summary: 'Retrieve a model',
      action: 'models.retrieve',
      responses: {
        200: {
          description: "The model, in the client's style",
          content: { 'application/json': z.union([ModelSchema, MessagesModelSchema, GenerativeModelSchema]) },
        },
      },
      errors: ['model_not_found'],
    },
    {
      ...generative,
      path: '/v1beta/models',
      operationId: 'listGenerativeModels',
      summary: 'List the models available to this key',
      action: 'models.list',
      query: ListGenerativeModelsSchema,
      responses: { 200: { description: 'The models', content: { 'application/json': GenerativeModelListSchema } } },
      errors: ['invalid_request'],
    },
    {
      ...generative,
      path: '/v1beta/models/*model',
      operationId: 'retrieveGenerativeModel',
      summary: 'Retrieve a model',
      action: 'models.retrieve',
      responses: { 200: { description: 'The model', content: { 'application/json': GenerativeModelSchema } } },
      errors: ['model_not_found'],
    },
  ]);
}
