import type { TranscriptFormat } from '../exchange/transcript-format.ts';

/**
 * How a model differs from its protocol. The configuration schema of `quirks` in `sluice.yaml` describes each field and
 * its default. Defaults depend on the protocol and the model's name.
 */
export interface TextQuirks {
  max_tokens_field?: 'max_tokens' | 'max_completion_tokens';
  instruction_role?: 'system' | 'developer';
  sampling?: boolean;
  reasoning_content?: boolean;
  reasoning_effort?: boolean;
  top_k?: boolean;
  stream_usage?: boolean;
  json_schema?: boolean;
  max_output_tokens?: number;
  thinking?: 'adaptive' | 'budget' | 'none';
  thinking_off?: boolean;
  forced_tool?: boolean;
  system_turns?: boolean;
  threads?: boolean;
  betas?: 'all' | string[];
  version_in_body?: string;
  thinking_config?: 'budget' | 'level' | 'none';
  files?: boolean;
  call_ids?: boolean;
  full_schema?: boolean;
  transcription_formats?: TranscriptFormat[];
}
