import { createSpotlight } from '@mantine/spotlight';

/** Whether the search is open. Apart from the search itself, which is loaded later. */
export const [finderStore, finder] = createSpotlight();
