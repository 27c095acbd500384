import type { ReactElement } from 'react';
import type { LedgerEntry } from '../../api/requests.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Section } from '../../components/page-head.tsx';
import { formatCost, formatCount } from '../../lib/format.ts';

type Line = NonNullable<LedgerEntry['price_lines']>[number];

const COLUMNS: readonly Column<Line>[] = [
  { title: 'Unit', cell: ({ unit }) => unit.replaceAll('_', ' ') },
  { title: 'Quantity', cell: ({ quantity }) => formatCount(quantity), align: 'end' },
  { title: 'Cost', cell: ({ cost_usd: usd }) => formatCost(usd), align: 'end' },
];

/** The parts of the cost, and where the price comes from. */
export function PriceLines({ entry }: { entry: LedgerEntry }): ReactElement {
  const { price_lines: lines = [], unpriced, type, task_id: taskId } = entry;
  return (
    <Section title="Price" aside={sourceOf(entry)}>
      {lines.length > 0 ? (
        <DataTable caption="Price lines" columns={COLUMNS} rows={lines} idOf={({ unit }) => unit} />
      ) : (
        <p className="p-4 text-muted">
          {unpriced ? (
            <>
              The model has no price. Set <code>price</code> in its configuration to know its cost.
            </>
          ) : type === 'request' && taskId !== undefined ? (
            'The entry of the task has the usage and the cost.'
          ) : (
            'No usage was charged.'
          )}
        </p>
      )}
    </Section>
  );
}

function sourceOf({ price_source: source }: LedgerEntry): string | undefined {
  if (!source) return undefined;
  if (source.from === 'config') return 'from the configuration';
  return `from the price catalog${source.date === undefined ? '' : `, ${source.date}`}`;
}
