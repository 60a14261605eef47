import './ui/mantine.css';
import './ui/console.css';

import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/errors';
import { ask } from './app/ask';
import { router } from './app/router';
import { resolver, theme } from './app/theme';
import { fetchOverview } from './pages/overview/data';

const client = new QueryClient({
  mutationCache: new MutationCache(),
  defaultOptions: {
    queries: {
      // Client errors are permanent; only server and network errors are retried.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status > 0 && error.status < 500),
      staleTime: 2000,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// Dialogs inject a style that stops the page from scrolling; the library reads the nonce from this variable.
(globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;

/** A server that takes longer than this to answer gets a page that says so. */
const RENDER_TIMEOUT_MS = 300;

function render(): void {
  createRoot(document.getElementById('root')!).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={resolver} getStyleNonce={() => nonce}>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

/** What the overview shows is fetched before it is rendered, so that it is rendered once. */
async function fetchFirst(): Promise<void> {
  await ask();
  if (window.location.pathname === '/console/') {
    await fetchOverview(client);
  }
}

// The log-in and the script of the page are fetched at once, and then all is rendered once: on a slow processor every
// rendering in between delays the page.
const ready = Promise.all([fetchFirst(), router.load()]);
void Promise.race([ready, new Promise((late) => setTimeout(late, RENDER_TIMEOUT_MS))]).then(render, render);
