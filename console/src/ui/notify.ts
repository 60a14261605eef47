import { Notifications, notifications } from '@mantine/notifications';
import { provideNotices } from '../app/notices';

// Together, since a notice may be about a gate that serves no more files.
provideNotices(Notifications);

export { notifications };
