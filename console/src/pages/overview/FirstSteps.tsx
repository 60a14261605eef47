import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../app/session';
import { t } from '../../strings';
import { Problem } from '../../ui/States';
import { runDemonstration } from './demonstration';

/** For an empty gate: a button that demonstrates an allowed, a denied and a held call. */
export function FirstSteps() {
  const may = useMay();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const start = async () => {
    setBusy(true);
    setError(null);
    try {
      await runDemonstration();
      await client.invalidateQueries();
    } catch (refused) {
      setError(refused);
    } finally {
      setBusy(false);
    }
  };
  const able = may('call_for_any_agent') && may('change_permissions');
  return (
    <section className="first-steps">
      <h2>{t.firstSteps.title}</h2>
      <p className="dimmed">{t.firstSteps.about}</p>
      <ol>
        {t.firstSteps.steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {error !== null && <Problem error={error} />}
      <div className="first-steps-actions">
        {able ? (
          <button
            type="button"
            className="mantine-focus-auto mantine-active main-button"
            disabled={busy}
            onClick={() => void start()}
          >
            {busy ? t.states.loading : t.firstSteps.start}
          </button>
        ) : (
          <span>{t.firstSteps.notAllowed}</span>
        )}
        {may('read_permissions') && (
          <Link to="/agents" className="anchor">
            {t.firstSteps.own}
          </Link>
        )}
      </div>
    </section>
  );
}
