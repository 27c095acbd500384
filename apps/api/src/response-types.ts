import type { UsageDimension, UsageField } from '@sluice/ledger';
import type {
  BatchPageSchema,
  BatchSchema,
  FilePageSchema,
  VideoGroupPageSchema,
  VideoGroupSchema,
  VideoGroupWithVideosSchema,
  WebhookDeliveryPageSchema,
  WebhookDeliverySchema,
  WebhookPageSchema,
  WebhookSchema,
  WebhookSecretSchema,
  WebhookTestSchema,
  WebhookWithSecretSchema,
} from '@sluice/protocols';
import type { z } from 'zod';
import type { IssuedKeyResponseSchema, KeyPageSchema, KeyResponseSchema } from './auth/key-response.ts';
import type { TaskDossierSchema, TaskResultSchema } from './admin/schemas/task-response.ts';
import type { AuditPageSchema } from './admin/audit-endpoint.ts';
import type { AdminBatchPageSchema } from './admin/batch-endpoints.ts';
import type { AdminGroupDetailsSchema, AdminGroupPageSchema } from './admin/group-endpoints.ts';
import type { AdminFilePageSchema } from './admin/file-endpoint.ts';
import type { ConfigurationSchema } from './admin/configuration-endpoint.ts';
import type { FallbackListSchema } from './admin/fallback-endpoint.ts';
import type { ModelListSchema } from './admin/model-endpoints.ts';
import type { UpstreamListSchema, UpstreamTestSchema } from './admin/upstream-endpoints.ts';
import type { AdminDeliveryPageSchema, AdminWebhookPageSchema } from './admin/webhook-endpoints.ts';
import type { OverviewSchema } from './admin/overview-endpoint.ts';
import type { TaskDetailsSchema, TaskPageSchema, TaskSchema } from './media/tasks/task-response.ts';
import type { VendorListSchema, VendorModelsSchema } from './admin/vendor-endpoints.ts';
import type { LedgerEntrySchema, LedgerPageSchema } from './metering/ledger-response.ts';
import type { RequestHistogramSchema } from './metering/reports/request-histogram.ts';
import type { OwnKeySchema } from './usage/own-key-endpoint.ts';
import type { LatencySchema } from './usage/request-endpoints.ts';
import type { UsageListSchema } from './usage/usage-response.ts';

/** Types of responses, for programs that call the API. They contain no code. */
export type LedgerEntry = z.output<typeof LedgerEntrySchema>;
export type RequestHistogram = z.output<typeof RequestHistogramSchema>;
export type LedgerPage = z.output<typeof LedgerPageSchema>;
export interface UsageList extends Omit<z.output<typeof UsageListSchema>, 'data'> {
  data: (Partial<Record<UsageDimension, string | null>> & Partial<Record<UsageField, number>>)[];
}
export type Latency = z.output<typeof LatencySchema>;
export type Overview = z.output<typeof OverviewSchema>;
export type Key = z.output<typeof KeyResponseSchema>;
export type IssuedKey = z.output<typeof IssuedKeyResponseSchema>;
export type KeyPage = z.output<typeof KeyPageSchema>;
export type OwnKey = z.output<typeof OwnKeySchema>;
export type Task = z.output<typeof TaskSchema>;
export type TaskPage = z.output<typeof TaskPageSchema>;
export type TaskDetails = z.output<typeof TaskDetailsSchema>;
/** A task as operators see it, with the job of the vendor. */
export type TaskDossier = z.output<typeof TaskDossierSchema>;
export type TaskResult = z.output<typeof TaskResultSchema>;
export type Vendor = z.output<typeof VendorListSchema>['data'][number];
export type VendorModels = z.output<typeof VendorModelsSchema>;
export type AdminWebhookPage = z.output<typeof AdminWebhookPageSchema>;
export type AdminDeliveryPage = z.output<typeof AdminDeliveryPageSchema>;
export type Webhook = z.output<typeof WebhookSchema>;
export type WebhookWithSecret = z.output<typeof WebhookWithSecretSchema>;
export type WebhookPage = z.output<typeof WebhookPageSchema>;
export type WebhookDelivery = z.output<typeof WebhookDeliverySchema>;
export type WebhookDeliveryPage = z.output<typeof WebhookDeliveryPageSchema>;
export type WebhookSecret = z.output<typeof WebhookSecretSchema>;
export type WebhookTest = z.output<typeof WebhookTestSchema>;

export type FilePage = z.output<typeof FilePageSchema>;
export type AdminFilePage = z.output<typeof AdminFilePageSchema>;
export type Batch = z.output<typeof BatchSchema>;
export type BatchPage = z.output<typeof BatchPageSchema>;
export type AdminBatchPage = z.output<typeof AdminBatchPageSchema>;
export type VideoGroup = z.output<typeof VideoGroupSchema>;
export type VideoGroupPage = z.output<typeof VideoGroupPageSchema>;
export type VideoGroupWithVideos = z.output<typeof VideoGroupWithVideosSchema>;
export type AdminVideoGroupPage = z.output<typeof AdminGroupPageSchema>;
export type AdminVideoGroupDetails = z.output<typeof AdminGroupDetailsSchema>;
export type AuditPage = z.output<typeof AuditPageSchema>;
export type FallbackList = z.output<typeof FallbackListSchema>;
export type UpstreamList = z.output<typeof UpstreamListSchema>;
export type UpstreamTest = z.output<typeof UpstreamTestSchema>;
export type ModelList = z.output<typeof ModelListSchema>;
export type Configuration = z.output<typeof ConfigurationSchema>;
