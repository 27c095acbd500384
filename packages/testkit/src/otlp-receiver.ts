import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
// The newest releases encode by hand, so this one is the last that contains classes generated from opentelemetry-proto.
import generated from '@opentelemetry/otlp-transformer-0/build/src/generated/root.js';

export interface ReceivedSpan {
  service: string;
  /** The process that exported the span. */
  instance: string;
  traceId: string;
  spanId: string;
  /** Undefined for the first span of a trace. */
  parentId: string | undefined;
  name: string;
  kind: 'INTERNAL' | 'SERVER' | 'CLIENT' | 'PRODUCER' | 'CONSUMER' | 'UNSPECIFIED';
  attributes: Record<string, unknown>;
  events: { name: string; attributes: Record<string, unknown> }[];
  links: { traceId: string; spanId: string }[];
  isError: boolean;
  /** Attributes of the process that exported the span. */
  resource: Record<string, unknown>;
  startedAt: number; // In Unix milliseconds.
  endedAt: number;
}

export interface ReceivedPoint {
  metric: string;
  unit: string;
  attributes: Record<string, unknown>;
  /** The sum of a histogram or a counter. */
  sum: number;
  count: number | undefined;
  bounds: number[];
}

/** A collector that receives OTLP over HTTP, as protobuf or JSON. */
export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** The newest value of each series. */
  points(): ReceivedPoint[];
  /** The media types of the requests. */
  mediaTypes: Set<string>;
  /** The headers and the body of each request, decompressed. Strings in protobuf are plain UTF-8. */
  requests: string[];
  close(): Promise<void>;
}

interface MessageType {
  decode(bytes: Uint8Array): object;
  fromObject(value: Json): object;
  toObject(message: object, options: object): Json;
}

// The cast is needed because the package declares only the type of the root. The names are those of opentelemetry-proto.
const { collector } = (generated as unknown as Generated).opentelemetry.proto;
const REQUESTS = {
  '/v1/traces': collector.trace.v1.ExportTraceServiceRequest,
  '/v1/metrics': collector.metrics.v1.ExportMetricsServiceRequest,
} as const;

interface Generated {
  opentelemetry: {
    proto: {
      collector: {
        trace: { v1: { ExportTraceServiceRequest: MessageType } };
        metrics: { v1: { ExportMetricsServiceRequest: MessageType } };
      };
    };
  };
}

export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const points = new Map<string, ReceivedPoint>();
  const spans: ReceivedSpan[] = [];
  const mediaTypes = new Set<string>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      const type = url in REQUESTS ? REQUESTS[url as keyof typeof REQUESTS] : undefined; // The key was just checked.
      if (!type) return void response.writeHead(404).end();
      const sent = Buffer.concat(chunks);
      const bytes = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      const mediaType = headers['content-type'] ?? '';
      mediaTypes.add(mediaType);
      requests.push(`${JSON.stringify(headers)}\n${bytes.toString()}`);
      const isJson = mediaType.startsWith('application/json');
      const body = isJson ? parsedJson(type, bytes) : type.toObject(type.decode(bytes), TO_OBJECT);
      for (const resource of list(body['resourceSpans'])) spans.push(...spansOf(resource));
      for (const resource of list(body['resourceMetrics'])) {
        for (const point of pointsOf(resource))
          points.set(`${point.metric} ${JSON.stringify(point.attributes)}`, point);
      }
      response.writeHead(200, { 'content-type': mediaType }).end(isJson ? '{}' : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: chosen } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  return {
    url: `http://127.0.0.1:${chosen}`,
    spans,
    points: () => [...points.values()],
    mediaTypes,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const TO_OBJECT = { longs: Number, enums: String, bytes: String, arrays: true } as const;

type Json = Record<string, unknown>;

/** OTLP's JSON encodes ids as hexadecimal text, unlike the standard mapping of protobuf. */
function parsedJson(type: MessageType, bytes: Buffer): Json {
  const text = bytes.toString().replaceAll(/"(traceId|spanId|parentSpanId)":"([0-9a-f]*)"/g, (_all, name, id) => {
    return `"${name}":"${Buffer.from(String(id), 'hex').toString('base64')}"`;
  });
  return type.toObject(type.fromObject(JSON.parse(text) as Json), TO_OBJECT); // OTLP requests are objects.
}

function spansOf({ resource, scopeSpans }: Json): ReceivedSpan[] {
  const process = attributesOf(record(resource));
  return list(scopeSpans).flatMap(({ spans }) =>
    list(spans).map((span): ReceivedSpan => {
      const parentId = hex(span['parentSpanId']);
      return {
        service: String(process['service.name']),
        instance: String(process['service.instance.id']),
        traceId: hex(span['traceId']),
        spanId: hex(span['spanId']),
        parentId: parentId === '' ? undefined : parentId,
        name: String(span['name']),
        // The cast is safe because the definitions name the kinds.
        kind: String(span['kind']).replace('SPAN_KIND_', '') as ReceivedSpan['kind'],
        attributes: attributesOf(span),
        events: list(span['events']).map((event) => ({ name: String(event['name']), attributes: attributesOf(event) })),
        links: list(span['links']).map((link) => ({ traceId: hex(link['traceId']), spanId: hex(link['spanId']) })),
        resource: process,
        isError: record(span['status'])['code'] === 'STATUS_CODE_ERROR',
        startedAt: Number(span['startTimeUnixNano']) / 1e6,
        endedAt: Number(span['endTimeUnixNano']) / 1e6,
      };
    }),
  );
}

function pointsOf({ scopeMetrics }: Json): ReceivedPoint[] {
  return list(scopeMetrics).flatMap(({ metrics }) =>
    list(metrics).flatMap((metric) => {
      const data = record(metric['histogram'] ?? metric['sum'] ?? metric['gauge']);
      return list(data['dataPoints']).map((point) => ({
        metric: String(metric['name']),
        unit: String(metric['unit']),
        attributes: attributesOf(point),
        sum: Number(point['sum'] ?? point['asInt'] ?? point['asDouble']),
        count: point['count'] === undefined ? undefined : Number(point['count']),
        bounds: (point['explicitBounds'] ?? []) as number[], // The definitions name the type.
      }));
    }),
  );
}

function attributesOf({ attributes }: Json): Record<string, unknown> {
  return Object.fromEntries(list(attributes).map(({ key, value }) => [String(key), valueOf(record(value))]));
}

function valueOf({ stringValue, boolValue, intValue, doubleValue, arrayValue }: Json): unknown {
  return stringValue ?? boolValue ?? intValue ?? doubleValue ?? list(record(arrayValue)['values']).map(valueOf);
}

function hex(base64: unknown): string {
  return Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64').toString('hex');
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : []; // Lists of OTLP contain messages.
}

function record(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}
