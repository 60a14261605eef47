package dev.toolgate.server.admin.permission;

import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.store.grant.PermissionHistory;
import dev.toolgate.store.grant.Template;
import java.util.List;
import java.util.Optional;

/** Finds templates by id or name. */
public final class TemplateNames {
    private final PermissionHistory permissions;

    public TemplateNames(PermissionHistory permissions) {
        this.permissions = permissions;
    }

    /** The id of the template with this id, or else with this name. */
    public String idOf(String idOrName) {
        List<Template> all = permissions.templates();
        Optional<Template> named = all.stream()
                .filter(template -> template.templateId().equals(idOrName))
                .findFirst()
                .or(() -> all.stream()
                        .filter(template -> template.name().equalsIgnoreCase(idOrName))
                        .findFirst());
        return named.map(Template::templateId)
                .orElseThrow(() -> HttpFailure.conflict("There is no such template; there are "
                        + String.join(
                                ", ", all.stream().map(Template::templateId).toList()) + "."));
    }
}
