import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ListedModel } from '../../api/models.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/notices.tsx';

/** Modes of the playground by the ability of a model. */
const MODES: Readonly<Record<string, string>> = {
  text: 'chat',
  image: 'image',
  video: 'video',
  speech: 'speech',
  transcription: 'transcription',
};

const COLUMNS: readonly Column<ListedModel>[] = [
  { title: 'Model', cell: ({ id }) => <span className="font-medium">{id}</span> },
  { title: 'Abilities', cell: ({ capabilities }) => capabilities.join(', '), isMinor: true },
];

const TRY: Column<ListedModel> = {
  title: 'Playground',
  align: 'end',
  cell: ({ id, capabilities }) => {
    const mode = capabilities.map((capability) => MODES[capability]).find((name) => name !== undefined);
    if (mode === undefined) return '–';
    return (
      <Link to="/playground" search={{ mode, model: id }} className="text-accent hover:underline">
        Try <span className="sr-only">{id}</span>
      </Link>
    );
  },
};

/** The models that the session can call. */
export function ServedModels({ models, canCall }: { models: readonly ListedModel[]; canCall: boolean }): ReactElement {
  if (models.length === 0) {
    return (
      <EmptyState title="No model is listed">
        <p>
          Add models to the configuration. Models of a pattern, such as gpt-*, can be called by name but are not listed.
        </p>
      </EmptyState>
    );
  }
  return (
    <div className="max-h-96 overflow-y-auto">
      <DataTable
        caption="Listed models"
        columns={canCall ? [...COLUMNS, TRY] : COLUMNS}
        rows={models}
        idOf={({ id }) => id}
      />
    </div>
  );
}
