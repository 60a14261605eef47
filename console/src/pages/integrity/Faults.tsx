import { Alert, Table, Text, Title } from '@mantine/core';
import { t } from '../../strings';
import { Icon } from '../../ui/Icon';
import { formatNumber } from '../../ui/time';

interface Found {
  kind: keyof typeof t.integrity.kinds;
  instance_id: string;
  sequence: number;
}

/** The result of a verification: intact, or the list of faults. */
export function Verdict({ intact, about, faults }: { intact: string; about: string; faults: Found[] }) {
  return (
    <div role="status" className="verdict">
      <Alert
        color={faults.length === 0 ? 'green' : 'red'}
        variant="light"
        icon={<Icon name={faults.length === 0 ? 'check' : 'warning'} />}
        title={faults.length === 0 ? intact : t.integrity.broken(faults.length)}
      >
        <Text size="sm">{about}</Text>
        {faults.length > 0 && (
          <Text size="sm" mt={4}>
            {t.integrity.whatNext}
          </Text>
        )}
      </Alert>
      {faults.length > 0 && (
        <>
          <Title order={3} size="h5" mt="md" mb={4}>
            {t.integrity.faults}
          </Title>
          <Table.ScrollContainer minWidth={620} maxHeight={360} type="native" scrollAreaProps={{ tabIndex: 0 }}>
            <Table verticalSpacing={4}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t.integrity.kind}</Table.Th>
                  <Table.Th>{t.integrity.sequence}</Table.Th>
                  <Table.Th>{t.integrity.chain}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {faults.map((fault, at) => (
                  <Table.Tr key={at}>
                    <Table.Td className="nowrap">{t.integrity.kinds[fault.kind]}</Table.Td>
                    <Table.Td>{formatNumber(fault.sequence)}</Table.Td>
                    <Table.Td className="mono wrap">{fault.instance_id}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </>
      )}
    </div>
  );
}
