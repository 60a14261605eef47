import { createTheme, type CSSVariablesResolver } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  components: {
    // The heading of a dialog must not be a banner landmark.
    ModalHeader: { defaultProps: { role: 'presentation' } },
  },
});

/** Text in secondary colours has a contrast of at least 4.5 : 1 in both themes, unlike the defaults. */
export const resolver: CSSVariablesResolver = (base) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': base.colors.gray[7],
    '--mantine-color-placeholder': base.colors.gray[7],
    '--mantine-color-anchor': base.colors.blue[8],
    '--mantine-color-blue-light-color': base.colors.blue[9],
    '--mantine-color-blue-light-hover': base.colors.blue[1],
    '--mantine-color-green-light-color': '#1b5e28',
    '--mantine-color-red-light-color': '#a31515',
    '--mantine-color-orange-light-color': '#8a3b00',
    '--mantine-color-yellow-light-color': '#6b4800',
    '--mantine-color-cyan-light-color': '#0b5563',
    '--mantine-color-grape-light-color': base.colors.grape[9],
    '--mantine-color-gray-light-color': base.colors.gray[8],
    '--mantine-color-error': '#c01f1f',
  },
  dark: {
    '--mantine-color-dimmed': base.colors.dark[1],
    '--mantine-color-placeholder': base.colors.dark[1],
    '--mantine-color-anchor': base.colors.blue[3],
    '--mantine-color-blue-light-color': base.colors.blue[2],
    '--mantine-color-green-light-color': base.colors.green[2],
    '--mantine-color-red-light-color': base.colors.red[2],
    '--mantine-color-orange-light-color': base.colors.orange[2],
    '--mantine-color-yellow-light-color': base.colors.yellow[2],
    '--mantine-color-cyan-light-color': base.colors.cyan[2],
    '--mantine-color-grape-light-color': base.colors.grape[2],
    '--mantine-color-gray-light-color': base.colors.gray[3],
    '--mantine-color-error': base.colors.red[4],
  },
});
