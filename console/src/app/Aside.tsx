import { KeyboardHelp } from './KeyboardHelp';
import { Search } from './Search';

/** The parts of the shell that show nothing until they are asked for. */
export function Aside({ help, onHelpClose }: { help: boolean; onHelpClose: () => void }) {
  return (
    <>
      <Search />
      <KeyboardHelp opened={help} onClose={onHelpClose} />
    </>
  );
}
