import { type ReactElement, useState } from 'react';
import type { Vendor } from '../../api/vendors.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { CheckField, Field } from '../../components/form/field.tsx';
import { vendorLines } from './vendor-lines.ts';

/** More models have a field that filters them. */
const FILTER_FROM = 12;

/** The models of the key, and the lines that add the vendor. Selected models are named in the lines. */
export function VendorConfiguration(props: { vendor: Vendor; models: readonly string[] | undefined }): ReactElement {
  const { vendor, models } = props;
  const [selected, select] = useState<readonly string[]>([]);
  const lines = vendorLines(vendor, selected);
  return (
    <>
      {models && <ModelChoice models={models} selected={selected} onSelect={select} />}
      {vendor.variables.length > 0 && (
        <div className="flex flex-col gap-1.5">
          <p>
            Set the variable, for example in the environment of the service, and restart Sluice. Without a sluice.yaml,
            this is all.
          </p>
          <CodeBlock
            code={vendor.variables.map((name) => `export ${name}="your key"`).join('\n')}
            what="environment variables"
          />
        </div>
      )}
      {lines !== '' && (
        <div className="flex flex-col gap-1.5">
          <p>If you have a sluice.yaml, add these lines to its sections.</p>
          <CodeBlock code={lines} what="lines for sluice.yaml" />
        </div>
      )}
    </>
  );
}

interface ModelChoiceProps {
  models: readonly string[];
  selected: readonly string[];
  onSelect: (models: readonly string[]) => void;
}

function ModelChoice({ models, selected, onSelect }: ModelChoiceProps): ReactElement {
  const [filter, setFilter] = useState('');
  const shown = models.filter((id) => id.toLowerCase().includes(filter.trim().toLowerCase()));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-2" role="status">
        The key may use {models.length} {models.length === 1 ? 'model' : 'models'}. Select the models to add, or add all
        with the patterns below.
      </legend>
      {models.length >= FILTER_FROM && (
        <Field label="Filter" className="sm:max-w-72">
          {(id) => (
            <input
              id={id}
              className="field w-full"
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
          )}
        </Field>
      )}
      <ul className="grid max-h-60 gap-1.5 overflow-y-auto rounded-md border border-line p-3 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map((id) => (
          <li key={id} className="min-w-0 break-all">
            <CheckField
              label={id}
              checked={selected.includes(id)}
              onChange={(isOn) => onSelect(isOn ? [...selected, id] : selected.filter((one) => one !== id))}
            />
          </li>
        ))}
        {shown.length === 0 && <li className="text-muted">No model matches.</li>}
      </ul>
    </fieldset>
  );
}
