import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactElement, useState } from 'react';
import { listVendorModels, type Vendor, vendorsQuery } from '../../api/vendors.ts';
import { Field } from '../../components/form/field.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { VendorConfiguration } from './vendor-configuration.tsx';

export interface VendorKeyProps {
  /** Name of the vendor in the URL. */
  selected: string | undefined;
  onSelect: (name: string) => void;
}

/** Lists the models of a pasted key, and shows how to add the vendor to the configuration. */
export function VendorKey({ selected, onSelect }: VendorKeyProps): ReactElement {
  const { data: vendors, error, refetch } = useQuery(vendorsQuery);
  const vendor = vendors?.find(({ name }) => name === selected) ?? vendors?.[0];
  return (
    <Section title="Add a vendor" aside="The key is not stored">
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!vendors && !error && <Skeleton className="m-4 h-16" />}
      {vendors && vendor && (
        <div className="flex flex-col gap-4 p-4">
          <Field label="Vendor" className="sm:max-w-72">
            {(id) => (
              <select
                id={id}
                className="field w-full"
                value={vendor.name}
                onChange={(event) => onSelect(event.target.value)}
              >
                {optionsOf(vendors).map((one) => (
                  <option key={one.name} value={one.name}>
                    {titleOf(one)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {/* A new key forgets the models and the pasted key of the vendor before. */}
          <VendorForm key={vendor.name} vendor={vendor} />
        </div>
      )}
    </Section>
  );
}

/** A vendor with two kinds of credential is one option. */
function optionsOf(vendors: readonly Vendor[]): Vendor[] {
  return vendors.filter(({ name }, at) => vendors.findIndex((one) => one.name === name) === at);
}

function titleOf({ name, source, is_configured: isConfigured }: Vendor): string {
  if (source === 'configuration') return `${name} (your upstream)`;
  return isConfigured ? `${name} (configured)` : name;
}

interface Listing {
  isRunning: boolean;
  models: readonly string[] | undefined;
  error: Error | undefined;
}

function VendorForm({ vendor }: { vendor: Vendor }): ReactElement {
  const [listing, setListing] = useState<Listing>({ isRunning: false, models: undefined, error: undefined });
  const list = async (form: HTMLFormElement): Promise<void> => {
    const key = new FormData(form).get('vendor-key');
    if (typeof key !== 'string' || key.trim() === '') return;
    setListing({ isRunning: true, models: undefined, error: undefined });
    try {
      const models = await listVendorModels(vendor.name, key.trim());
      form.reset();
      setListing({ isRunning: false, models, error: undefined });
    } catch (error) {
      setListing({ isRunning: false, models: undefined, error: error instanceof Error ? error : new Error('failed') });
    }
  };
  return (
    <>
      {vendor.lists_models ? (
        <KeyForm vendor={vendor} isRunning={listing.isRunning} onSubmit={(form) => void list(form)} />
      ) : (
        <p className="text-muted">
          This vendor has no list of models. Add it to the configuration, and call a model by its name.
        </p>
      )}
      {listing.error && <ErrorNotice error={listing.error} />}
      <VendorConfiguration key={listing.models?.length} vendor={vendor} models={listing.models} />
    </>
  );
}

interface KeyFormProps {
  vendor: Vendor;
  isRunning: boolean;
  onSubmit: (form: HTMLFormElement) => void;
}

function KeyForm({ vendor, isRunning, onSubmit }: KeyFormProps): ReactElement {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSubmit(event.currentTarget);
  };
  const hint = (
    <>
      Sent once, and only to <code className="font-mono break-all">{vendor.base_url}</code>. Sluice and the browser do
      not store it.
    </>
  );
  return (
    <form onSubmit={submit} aria-label="List the models of a key" className="flex flex-wrap items-start gap-3">
      <Field label="Key of the vendor" hint={hint} className="w-full sm:w-96">
        {(id) => (
          <input
            id={id}
            name="vendor-key"
            type="password"
            required
            autoComplete="off"
            spellCheck={false}
            className="field w-full font-mono"
          />
        )}
      </Field>
      <button type="submit" className="button button-primary sm:mt-5.5" disabled={isRunning}>
        {isRunning ? 'Listing…' : 'List models'}
      </button>
    </form>
  );
}
